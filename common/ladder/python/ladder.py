"""ladder - histograms and reductions by key on a GPU, by libladder.

    import ladder
    counts = ladder.bincount(keys, 1000)
    sums = ladder.reduce_by_index(keys, values, 1000, "sum")

Arrays of numpy are copied to the device and back, or go through the simulated GPU if the library was built on it.
Arrays of the device stay there. Of CuPy, PyTorch and Numba the work is put into the current stream, and the result is an
array of the same kind, without waiting for it. Of others that have __cuda_array_interface__ or __dlpack__ it is put into
the stream that the interface names, or else into stream 0, and the result is a DeviceArray.

The library is found by the variable LADDER_LIBRARY, beside this file's folder (../libladder.so.1), or where the system
looks. No step builds this module.
"""
import ctypes
import ctypes.util
import os
from pathlib import Path

__all__ = ["histogram", "bincount", "reduce_by_index", "reduce", "DeviceArray", "LadderError", "OPERATIONS"]

# Of each operation and type of values: the library's number, and the type and columns of the result.
OPERATIONS = {
    ("count", None): (1, "uint32", 1), ("count64", None): (2, "uint64", 1), ("saturate", None): (3, "uint32", 1),
    ("sum", "uint32"): (4, "uint64", 1), ("sum", "float32"): (5, "float32", 1),
    ("powers", "float32"): (6, "float32", 8), ("minmax", "float32"): (7, "float64", 2),
    ("argmax", "uint32"): (8, "uint32", 2),
}
REDUCTIONS = {("sum", "uint32"): (1, "uint64"), ("max", "uint32"): (2, "uint32"), ("dot", "float32"): (3, "float32"),
              ("sum", "float32"): (4, "float32"), ("reproducible", "float32"): (5, "float32")}
U8, U32 = 1, 2


class LadderError(RuntimeError):
    """What the library says of a call that failed."""


def _load():
    beside = Path(__file__).resolve().parent.parent / "libladder.so.1"
    name = os.environ.get("LADDER_LIBRARY") or (str(beside) if beside.exists() else ctypes.util.find_library("ladder"))
    if not name:
        raise ImportError("libladder.so.1 is not found; LADDER_LIBRARY=path names it")
    library = ctypes.CDLL(name)
    library.ladder_status_text.restype = ctypes.c_char_p
    return library


_library = _load()


def _must(status):
    if status:
        raise LadderError(_library.ladder_status_text(status).decode())


class _Tensor(ctypes.Structure):  # DLTensor of DLPack, with which a DLManagedTensor begins
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class _View:
    """An array as the library sees it: address, length and dtype; it keeps what it looks at alive."""

    def __init__(self, array, name):
        self.array, self.on_device = array, True
        interface = getattr(array, "__cuda_array_interface__", None)
        if interface is not None:
            shape, self.address = interface["shape"], interface["data"][0]
            self.dtype = _type_named(interface["typestr"], name)
            item = int(interface["typestr"][2:])
            strides = interface.get("strides")
            stride = strides[0] if strides else item
        elif hasattr(array, "__dlpack_device__") and array.__dlpack_device__()[0] == 2:  # kDLCUDA
            self.capsule = array.__dlpack__()
            get = ctypes.pythonapi.PyCapsule_GetPointer
            get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
            tensor = _Tensor.from_address(get(self.capsule, b"dltensor"))
            shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
            self.address = (tensor.data or 0) + tensor.byte_offset
            self.dtype = {0: "int", 1: "uint", 2: "float"}.get(tensor.code, "?") + str(tensor.bits)
            item = tensor.bits // 8
            stride = tensor.strides[0] * item if tensor.strides and tensor.ndim else item
        else:
            import numpy
            self.array = array = numpy.ascontiguousarray(array)
            self.on_device, self.dtype, self.address = False, array.dtype.name, array.ctypes.data
            shape, item = array.shape, array.itemsize
            stride = item
        if len(shape) != 1:
            raise ValueError(f"{name} has {len(shape)} dimensions; it must have one")
        if shape[0] > 1 and stride != item:
            raise ValueError(f"{name} is not contiguous")
        self.length = shape[0]


def _type_named(typestr, name):
    kinds = {"i": "int", "u": "uint", "f": "float"}
    if typestr[1] not in kinds or typestr[0] == ">":
        raise TypeError(f"{name} has type {typestr}")
    return kinds[typestr[1]] + str(8 * int(typestr[2:]))


def _keys(keys):
    """A view of keys of 32 bits; integers of numpy of other types are converted."""
    view = _View(keys, "keys")
    if view.dtype in ("uint32", "int32"):  # a negative key has no bin: it is above all of them
        return view
    if view.on_device or not (view.dtype.startswith(("int", "uint")) or view.length == 0):
        raise TypeError(f"keys are {view.dtype}; they must be int32 or uint32")
    import numpy
    wide = view.array
    outside = (wide < 0) | (wide > 0xfffffffe)
    return _View(numpy.where(outside, numpy.uint32(0xffffffff), wide.astype(numpy.uint32)), "keys")


class DeviceArray:
    """Memory of the device with a shape and a type, for CuPy, PyTorch or Numba to take: cupy.asarray(result)."""

    def __init__(self, count, dtype, stream, shape=None, owner=None):
        kind, bits = dtype.rstrip("0123456789"), int(dtype.lstrip("abcdefghijklmnopqrstuvwxyz"))
        self.shape, self.dtype, self._stream, self._owner = shape or (count,), dtype, stream, owner
        self._address = owner._address if owner else ctypes.c_void_p()
        if not owner and _library.cudaMallocAsync(ctypes.byref(self._address), ctypes.c_size_t(max(count * bits // 8, 1)),
                                                  ctypes.c_void_p(stream)):
            raise LadderError("the device has not so much memory")
        self.__cuda_array_interface__ = {"version": 3, "shape": self.shape, "data": (self._address.value, False),
                                         "typestr": f"<{kind[0]}{bits // 8}", "stream": stream or 1}

    def reshape(self, *shape):
        return DeviceArray(0, self.dtype, self._stream, shape, self)

    def __del__(self):
        if not self._owner and self._address:
            _library.cudaFreeAsync(self._address, ctypes.c_void_p(self._stream))


def _maker(view):
    """(allocate(count, dtype), stream) of the library that an array of the device belongs to."""
    module = type(view.array).__module__.split(".")[0]
    if module == "cupy":
        import cupy
        return (lambda count, dtype: cupy.empty(count, dtype)), cupy.cuda.get_current_stream().ptr
    if module == "torch":
        import torch
        device = view.array.device
        types = {"uint32": torch.int32, "uint64": torch.int64, "float32": torch.float32, "float64": torch.float64,
                 "uint8": torch.uint8}
        return ((lambda count, dtype: torch.empty(count, dtype=types[dtype], device=device)),
                torch.cuda.current_stream(device).cuda_stream)
    if module == "numba":
        from numba import cuda
        return (lambda count, dtype: cuda.device_array(count, dtype)), 0
    stream = (getattr(view.array, "__cuda_array_interface__", None) or {}).get("stream") or 0
    return (lambda count, dtype: DeviceArray(count, dtype, stream)), stream


def _twice(call, allocate, stream):
    """Calls the library for the size of temporary memory, and then with it."""
    size = ctypes.c_size_t(0)
    _must(call(None, ctypes.byref(size), ctypes.c_void_p(stream)))
    memory = allocate(size.value + 255, "uint8")
    address = (_View(memory, "temporary memory").address + 255) // 256 * 256
    _must(call(ctypes.c_void_p(address), ctypes.byref(size), ctypes.c_void_p(stream)))
    return memory  # freed in the order of the stream, by who allocated it


def _neutral(operation, count, dtype, columns):
    import numpy
    result = numpy.zeros((count, columns), dtype)
    if operation == "minmax":
        result[:] = numpy.inf, -numpy.inf
    return result


def reduce_by_index(keys, values, n, op):
    """Combines values that share a key.

    keys    array of shape (length,), int32 or uint32; of numpy any integers. A key that is not in 0 to n - 1 is left out.
    values  array of shape (length,): uint32 or float32, as `op` wants it; None for counts
    n       how many bins there are, 1 to 2^31 - 1
    op      "count", "count64", "saturate" (stops at 2^24 - 1): no values
            "sum" of uint32 (result uint64) or of float32 (result float32, in an order that changes)
            "powers" of float32: sums of 1, v, ... v^7; "minmax" of float32; "argmax" of uint32

    Returns an array of shape (n,); of "powers" (n, 8) float32; of "minmax" (n, 2) float64, where a bin without values has
    (inf, -inf); of "argmax" (n, 2) uint32, the value and its first index, without values (0, 2^32 - 1). On the device the
    columns of "argmax" are the inverted index and the value, and PyTorch gets int32 and int64 with the same bits.

    Raises TypeError or ValueError for arrays that do not fit, LadderError for what the library says.
    """
    keys = _keys(keys)
    view = None if values is None else _View(values, "values")
    found = OPERATIONS.get((op, view.dtype if view else None))
    if found is None:
        raise TypeError(f"there is no operation {op!r} of {view.dtype if view else 'no values'}")
    if view and view.length != keys.length:
        raise ValueError(f"{keys.length} keys and {view.length} values")
    if view and view.on_device != keys.on_device:
        raise TypeError("keys and values must both be on the device, or both be of numpy")
    number, dtype, columns = found
    arrays = (ctypes.c_void_p(keys.address), ctypes.c_void_p(view.address if view else None), ctypes.c_size_t(keys.length))
    if not keys.on_device:
        import numpy
        bins = _neutral(op, n, dtype, columns)
        _must(_library.ladder_reduce_by_index_now(number, *arrays, ctypes.c_void_p(bins.ctypes.data), ctypes.c_size_t(n)))
        if op == "argmax":  # in memory the inverted index comes first
            return numpy.stack([bins[:, 1], ~bins[:, 0]], axis=1)
        return bins if columns > 1 else bins[:, 0]
    allocate, stream = _maker(keys)
    bins = allocate(n * columns, dtype)
    to = ctypes.c_void_p(_View(bins, "bins").address)
    _must(_library.ladder_clear(number, to, ctypes.c_size_t(n), ctypes.c_void_p(stream)))
    _twice(lambda memory, size, queue: _library.ladder_reduce_by_index(memory, size, number, *arrays, to,
                                                                      ctypes.c_size_t(n), queue), allocate, stream)
    return bins.reshape(n, columns) if columns > 1 else bins


def bincount(keys, n):
    """How often each of 0 to n - 1 is among the keys: reduce_by_index(keys, None, n, "count64"), shape (n,), uint64."""
    return reduce_by_index(keys, None, n, "count64")


def histogram(samples, bins=256, table=None):
    """Counts bytes by the bins that a table gives them.

    samples  bytes, or an array of shape (length,), uint8
    bins     1 to 256
    table    256 numbers: of each value of a byte its bin, or -1 if it is not counted; None: each byte is its own bin

    Returns counts of shape (bins,), uint64. Raises as reduce_by_index().
    """
    if isinstance(samples, (bytes, bytearray, memoryview)):
        import numpy
        samples = numpy.frombuffer(samples, numpy.uint8)
    view = _View(samples, "samples")
    if view.dtype != "uint8":
        raise TypeError(f"samples are {view.dtype}; they must be uint8")
    of_bytes = None
    if table is not None:
        table = [int(bin) for bin in table]
        if len(table) != 256 or not all(-1 <= bin < bins for bin in table):
            raise ValueError("the table must have 256 entries from -1 to bins - 1")
        of_bytes = (ctypes.c_int16 * 256)(*table)
    arrays = (U8, ctypes.c_void_p(view.address), ctypes.c_size_t(view.length), of_bytes)
    if not view.on_device:
        import numpy
        counts = numpy.zeros(bins, numpy.uint64)
        _must(_library.ladder_histogram_now(*arrays, ctypes.c_void_p(counts.ctypes.data), 64, ctypes.c_size_t(bins)))
        return counts
    allocate, stream = _maker(view)
    counts = allocate(bins, "uint64")
    to = ctypes.c_void_p(_View(counts, "counts").address)
    _must(_library.ladder_clear(OPERATIONS["count64", None][0], to, ctypes.c_size_t(bins), ctypes.c_void_p(stream)))
    _twice(lambda memory, size, queue: _library.ladder_histogram(memory, size, *arrays, to, 64, ctypes.c_size_t(bins),
                                                                queue), allocate, stream)
    return counts


def reduce(values, op="sum", others=None):
    """One value of all: "sum" or "max" of uint32; "sum", "reproducible" (the same bits in each run and on each device) or
    "dot" with `others` of float32; arrays of numpy, of shape (length,). Returns a number."""
    view = _View(values, "values")
    if view.on_device:
        raise TypeError("values are on the device: reduce_by_index() takes them, with keys that are all 0")
    found = REDUCTIONS.get((op, view.dtype))
    if found is None:
        raise TypeError(f"there is no reduction {op!r} of {view.dtype}")
    other = _View(others, "others") if op == "dot" else None
    if other and (other.on_device or other.length != view.length or other.dtype != view.dtype):
        raise ValueError("both arrays of a dot product must have one length and type")
    import numpy
    result = numpy.zeros(1, found[1])
    _must(_library.ladder_reduce_now(found[0], ctypes.c_void_p(view.address),
                                     ctypes.c_void_p(other.address if other else None), ctypes.c_size_t(view.length),
                                     ctypes.c_void_p(result.ctypes.data)))
    return result[0]
