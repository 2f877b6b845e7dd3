#!/bin/bash
# kernel_flags.sh - prints the options, one a line, with which a compiler compiles
# kernels: kernel_flags.sh COMPILER...
#
# The code has to stay as it was written. No access to memory may be merged, doubled,
# widened or moved to another block, or the counters would be wrong. And instructions
# have to follow each other as in the source: lanes that went apart meet again because
# those that stand at the lowest address go first.
set -u

# ThreadSanitizer's instrumentation, whose runtime the simulator replaces: a call
# before each access, but none at the start and end of functions, and another name
# for volatile accesses. Signed integers wrap around, as they do on a GPU; char has a
# sign and a * b + c is rounded twice, whatever this machine's habits are. Who writes beyond
# a local array is found out when the function ends: device/local_arrays.c.
flags=(-O1 -fsanitize=thread -fwrapv -fsigned-char -ffp-contract=off
    -fstack-protector-strong -fcf-protection=none -fno-jump-tables -Wno-unknown-pragmas
    -Werror=vla) # which nvcc refuses

if [[ $("$@" --version) != *clang* ]]; then
    flags+=(--param tsan-instrument-func-entry-exit=0 --param tsan-distinguish-volatile=1)
    # A local variable that nobody has set holds rubbish, and no 0 of whoever ran before.
    flags+=(-ftrivial-auto-var-init=pattern)
    # Lines are asked for, and no variables (-g1): a quarter of the time to compile.
    # Where a statement begins is part of its line, also with -g1.
    flags+=(-g1 -gstatement-frontiers -fno-var-tracking -fno-var-tracking-assignments)
    # Calls that simcc redirects stay calls: what they become in place would not be seen.
    flags+=(-fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset)
    # A call in each basic block, to count the rounds of loops.
    flags+=(-fsanitize-coverage=trace-pc)
    # An index is compared with the number of elements where the compiler knows it. gcc does so after it has
    # put in the calls, so that no block is added that counts; clang does it before.
    # And what ends without the value that it should return calls, too, where it would end.
    flags+=(-fsanitize=bounds,return)
    # Blocks stay where they are, loops keep their one test, and no path is copied.
    flags+=(-fno-reorder-blocks -fno-tree-ch)
    flags+=(--param max-completely-peel-times=0)
    # Of a path nothing is copied but one branch. So `if (i < n && f(x[i]) > 0)` jumps past the body from either
    # condition, as nvcc has it, and what the conditions loaded is known in the body: x[i] is not loaded again.
    # Without this the conditions would make a number 0 or 1, and the body would belong to that.
    # It is done early, and not once more when functions have become parts of others: that would give a loop a
    # second block to jump back to.
    flags+=(--param max-jump-thread-duplication-stmts=1 -fno-tree-dominator-opts)
    "$@" --param max-fsm-thread-path-insns=1 -x c -c /dev/null -o /dev/null 2>/dev/null &&
        flags+=(--param max-fsm-thread-path-insns=1)
    # Branches stay branches: no store is made unconditional, or one of two stores.
    flags+=(-fno-if-conversion -fno-if-conversion2 -fno-ssa-phiopt -fno-tree-cselim)
    # What follows the instrumentation, and moves no call and no line: it would take a twentieth of the time to compile.
    flags+=(-fno-tree-slsr -fno-split-wide-types -fno-forward-propagate -fno-move-loop-invariants
        -fno-dse -fno-cprop-registers -fno-combine-stack-adjustments -fno-compare-elim -fno-shrink-wrap)
    # Registers are given to a whole function at a time, and not loop by loop, which would take another tenth.
    flags+=(-fira-region=one)
    # Loads and stores stay in their block, loops that fill an array stay loops.
    flags+=(-fno-tree-sink -fno-tree-loop-im -fno-tree-loop-distribute-patterns)
    printf '%s\n' "${flags[@]}"
    exit
fi

# The names of functions that became a part of others are told with variables only (-g).
flags+=(-g)
# What ends without the value that it should return calls, where it would end.
flags+=(-fsanitize=return)
# A call in each basic block, also in those that another one makes certain.
flags+=(-fsanitize-coverage=bb,no-prune,trace-pc)
# What a kernel calls becomes a part of it (gcc does so for the attribute flatten).
# An endless loop stays one. Its excerpts of the source would show rewritten text.
flags+=(-finline-functions -fno-finite-loops -fno-caret-diagnostics -Wno-c++11-narrowing
    -fno-vectorize -fno-slp-vectorize -fno-unroll-loops)
internal=(inline-threshold=10000)
# Without the second, the read of `a[i] += 1` would not be seen.
internal+=(tsan-instrument-func-entry-exit=0 tsan-instrument-read-before-write=1
    tsan-distinguish-volatile=1)
# As above: loads and stores stay in their block, branches and loops what they are.
internal+=(sink-common-insts=false hoist-common-insts=false instcombine-code-sinking=false
    disable-licm-promotion disable-vector-combine simplifycfg-merge-cond-stores=0 phi-node-folding-threshold=0
    two-entry-phi-node-folding-threshold=0 speculate-one-expensive-inst=0
    disable-loop-idiom-all rotation-max-header-size=0)
# As above: blocks stay where they are. (So they do where code is to be small, which
# simcc asks of every function: clang then puts no block above the head of its loop.)
internal+=(enable-tail-merge=false tail-dup-placement=false disable-early-taildup
    disable-tail-duplicate force-precise-rotation-cost misfetch-cost=0 jump-inst-cost=0)
for option in "${internal[@]}"; do # another version of clang may not have all of them
    "$@" -mllvm "-$option" -x c -c /dev/null -o /dev/null 2>/dev/null &&
        flags+=(-mllvm "-$option")
done
printf '%s\n' "${flags[@]}"
