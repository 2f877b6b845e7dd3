# .gdbinit - gdb in a kernel on the simulated GPU: block, thread and lane at every stop.
#
#   make chapter5 debug SIZE=2K     builds your kernel with all its variables, and starts gdb
#   gdb -x build/debug.gdb          the same again
#
# lane     which lane this is, and where the others of its warp are
# block    the same for every warp of its block
# bins     the bins now, or the result: what the kernel's pointers point to, and the block's shared
#          memory; bins 500 20: twenty of them, from bin 500 on
# when BLOCK THREAD    the last breakpoint stops only in this thread; both counted from 0
#
# To show where a lane waits, its stack and place stand in for those of the running one for a
# moment; nothing is called, and nothing runs.
set breakpoint pending on
set print frame-arguments none
set print frame-info location
handle SIGSEGV nostop noprint pass

define hook-stop
    if gdb_lane
        if *gdb_lane
            where_here
        else
            no_lane
        end
    end
end

define where_here
    set $at = *gdb_lane
    set $in = $at->warp->block
    if (*gdb_launch)->device > 0
        printf "device %u, ", (*gdb_launch)->device
    end
    printf "block (%u,%u,%u), thread (%u,%u,%u): lane %u of warp %u\n", $in->index.x, $in->index.y, $in->index.z, $at->thread.x, $at->thread.y, $at->thread.z, $at->number, $at->warp->number
end

define no_lane
    if gdb_lane
        echo no lane runs here: this is the host, or the scheduler. A breakpoint at a kernel's name stops first where it is launched: type continue\n
    else
        echo nothing runs yet: set a breakpoint in a kernel, such as break histogram_kernel, and type run\n
    end
end

define lane
    if gdb_lane && *gdb_lane
        where_here
        lanes_of (*gdb_lane)->warp
    else
        no_lane
    end
end
document lane
Which block, thread and lane this is, and where the others of its warp are.
end

define block
    if gdb_lane && *gdb_lane
        where_here
        set $in = (*gdb_lane)->warp->block
        printf "block number %u of %u: %u threads have not returned, %u wait at __syncthreads\n", $in->linear, $in->launch->blocks, $in->live, $in->waiting
        set $w = 0
        while $w < $in->warp_count
            printf "warp %u\n", $w
            lanes_of &$in->warps[$w]
            set $w = $w + 1
        end
    else
        no_lane
    end
end
document block
Where the lanes of every warp of this block are.
end

# The places of a warp's lanes: one paragraph for those that are together.
define lanes_of
    set $of = $arg0
    set $left = $of->live
    if (*gdb_lane)->warp == $of
        set $left = $left & ~(1u << (*gdb_lane)->number)
    end
    set $n = 0
    while $n < 32
        if $left >> $n & 1
            together $n
        end
        set $n = $n + 1
    end
    if $of->lanes & ~$of->live
        name_lanes $of->lanes&~$of->live
        echo \ have returned\n
    end
end

# The lanes of $left that are where lane $arg0 is, which they leave.
define together
    set $first = $arg0
    set $waiting = $of->pending | $of->pending_after
    set $mask = 0u
    set $i = $first
    while $i < 32
        if ($left >> $i & 1) && $of->key[$i] == $of->key[$first] && $of->stop[$i].reason == $of->stop[$first].reason && ($waiting >> $i & 1) == ($waiting >> $first & 1)
            set $mask = $mask | 1u << $i
        end
        set $i = $i + 1
    end
    set $left = $left & ~$mask
    name_lanes $mask
    if $of->stop[$first].reason == gdb_resume
        echo \ are about to go on\n
    else
        if $waiting >> $first & 1
            echo \ go on next, from
        else
            echo \ wait at
        end
        printf " %s\n", gdb_stops[$of->stop[$first].reason]
        place_of $first
    end
end

# "  lanes 0-4 7" of a mask.
define name_lanes
    set $names = (unsigned long)($arg0)
    echo \ \ lanes
    set $i = 0
    while $i < 32
        if $names >> $i & 1
            set $end = $i
            while $end < 31 && $names >> ($end + 1) & 1
                set $end = $end + 1
            end
            if $end == $i
                printf " %d", $i
            else
                printf " %d-%d", $i, $end
            end
            set $i = $end
        end
        set $i = $i + 1
    end
end

# Where a lane of $of is in the source; on x86-64 with its own stack. A load or store is
# in the reader's code, all else in a function of the simulator, in a line of his.
define place_of
    set $which = $arg0
    if $_isvoid($rsp)
        info line *($of->key[$which] & 0xffffffffffff)
    else
        set $saved_pc = $pc
        set $saved_sp = $rsp
        set $rsp = $of->lane[$which].stack_top - ((~$of->key[$which] >> 48) << 4)
        set $pc = ($of->key[$which] & 0xffffffffffff) - 1
        if gdb_access[$of->stop[$which].reason]
            backtrace 1
        else
            backtrace 2
        end
        set $rsp = $saved_sp
        set $pc = $saved_pc
    end
end

# "bins: ", of a list such as "text, length, bins". Sets $is_input when it begins as "elements", "keys",
# "values" or "text" do: an array of the input, and no bins.
define find_parameter
    set $letter = $given->names
    set $commas = 0
    while *$letter && $commas < $arg0
        if *$letter == ','
            set $commas = $commas + 1
        end
        set $letter = $letter + 1
    end
    while *$letter == ' '
        set $letter = $letter + 1
    end
    set $is_input = 0
    if *$letter == 'e' && *($letter + 1) == 'l' || *$letter == 'k' && *($letter + 1) == 'e' || *$letter == 'v' && *($letter + 1) == 'a' || *$letter == 't' && *($letter + 1) == 'e'
        set $is_input = 1
    end
end

define print_parameter
    while *$letter && *$letter != ','
        printf "%c", *$letter
        set $letter = $letter + 1
    end
    printf ": "
end

# So many of $bins_in_all or $bins_here, from $from on.
define show_values
    set $shown = $count
    if $from + $shown > $arg0
        set $shown = $arg0 - $from
    end
    if $from < $arg0
        set $values = (char *)$values + $from * $bin_bytes
        values_as_bins
    end
    echo \n
end

# $bins_in_all, $bin_bytes and values_as_bins are in build/debug.gdb.
define bins
    set $from = 0
    set $count = 200
    if $argc > 0
        set $from = $arg0
    end
    if $argc > 1
        set $count = $arg1
    end
    if gdb_lane && *gdb_lane
        set $given = &(*gdb_launch)->request->parameters
        set $i = 0
        while $i < $given->count
            find_parameter $i
            if $given->elements[$i] == $bin_bytes && !$is_input
                print_parameter
                set $values = *(char **)((char *)(*gdb_launch)->closure + $given->offsets[$i])
                show_values $bins_in_all
            end
            set $i = $i + 1
        end
        set $i = 0
        while $i < (*gdb_launch)->shared_count
            set $variable = &(*gdb_launch)->shared[$i]
            if $variable->element == $bin_bytes
                printf "%s in shared memory of this block: ", $variable->name
                set $values = (char *)((*gdb_lane)->warp->block->shared + $variable->offset)
                set $bins_here = $variable->size / $bin_bytes
                show_values $bins_here
            end
            set $i = $i + 1
        end
    else
        no_lane
    end
end
document bins
The bins now, or the result: what the kernel's pointers point to, and the block's shared memory.
bins FROM COUNT: so many of them from FROM on; otherwise the first 200.
end

define when
    condition $bpnum *gdb_lane && (*gdb_lane)->warp->block->linear == $arg0 && (*gdb_lane)->warp->number * 32 + (*gdb_lane)->number == $arg1
end
document when
when BLOCK THREAD: the last breakpoint stops only in this thread; both counted from 0.
end
