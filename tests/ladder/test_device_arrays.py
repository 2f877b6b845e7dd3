"""Arrays of the device, in memory of the simulated GPU: stand-ins for CuPy, PyTorch and an unknown library, which have of
those what the module ladder asks for. LADDER_TESTED is the library with the functions of CUDA, which it hides elsewhere."""
import ctypes
import importlib.util
import os
import sys
import types
from pathlib import Path

import pytest

numpy = pytest.importorskip("numpy")
if "LADDER_TESTED" not in os.environ:
    pytest.skip("make check builds LADDER_TESTED", allow_module_level=True)
CUDA = ctypes.CDLL(os.environ["LADDER_TESTED"])
STREAM = ctypes.c_void_p()
assert CUDA.cudaStreamCreateWithFlags(ctypes.byref(STREAM), 1) == 0


@pytest.fixture(scope="module")
def ladder():
    """The module, once more, with the library of these tests."""
    before = os.environ.get("LADDER_LIBRARY")
    os.environ["LADDER_LIBRARY"] = os.environ["LADDER_TESTED"]
    spec = importlib.util.spec_from_file_location(
        "ladder_tested", Path(__file__).resolve().parents[2] / "common/ladder/python/ladder.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if before is None:
        del os.environ["LADDER_LIBRARY"]
    else:
        os.environ["LADDER_LIBRARY"] = before
    return module


class Memory:
    """Memory of the device, and what lies in it."""

    def __init__(self, array):
        self.array, self.address = array, ctypes.c_void_p()
        assert CUDA.cudaMalloc(ctypes.byref(self.address), ctypes.c_size_t(max(array.nbytes, 1))) == 0
        assert CUDA.cudaMemcpy(self.address, ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes), 1) == 0

    def read(self):
        assert CUDA.cudaStreamSynchronize(STREAM) == 0 and CUDA.cudaDeviceSynchronize() == 0
        to = numpy.empty_like(self.array)
        assert CUDA.cudaMemcpy(ctypes.c_void_p(to.ctypes.data), self.address, ctypes.c_size_t(to.nbytes), 2) == 0
        return to


class Named(Memory):
    """Has __cuda_array_interface__, of which parts may be others."""

    def __init__(self, array, **others):
        super().__init__(array)
        self.__cuda_array_interface__ = {"version": 3, "shape": array.shape, "typestr": array.dtype.str,
                                         "data": (self.address.value, False), **others}

    def reshape(self, *shape):
        self.array = self.array.reshape(shape)
        return self


class Tensor(Memory):
    """Has __dlpack__, as PyTorch's."""

    device = "cuda:0"

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, stream=None):
        self.shape = (ctypes.c_int64 * 1)(self.array.size)
        code = {"i": 0, "u": 1, "f": 2}[self.array.dtype.kind]
        fields = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32),
                  ("type", ctypes.c_uint8 * 4), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                  ("offset", ctypes.c_uint64)]
        self.tensor = type("Tensor", (ctypes.Structure,), {"_fields_": fields})(
            self.address, (2, 0), 1, (code, 8 * self.array.itemsize, 1, 0), ctypes.addressof(self.shape), None, 0)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(self.tensor), b"dltensor", None)

    def reshape(self, *shape):
        self.array = self.array.reshape(shape)
        return self


@pytest.fixture
def cupy(monkeypatch):
    module = types.ModuleType("cupy")
    module.ndarray = type("ndarray", (Named,), {"__module__": "cupy"})
    module.empty = lambda count, dtype: module.ndarray(numpy.full(count, 0xa5, numpy.uint8).astype(dtype))
    module.cuda = types.SimpleNamespace(get_current_stream=lambda: types.SimpleNamespace(ptr=STREAM.value))
    monkeypatch.setitem(sys.modules, "cupy", module)
    return module


@pytest.fixture
def torch(monkeypatch):
    module = types.ModuleType("torch")
    module.Tensor = type("Tensor", (Tensor,), {"__module__": "torch"})
    module.int32, module.int64, module.uint8 = numpy.int32, numpy.int64, numpy.uint8
    module.float32, module.float64 = numpy.float32, numpy.float64
    module.empty = lambda count, dtype, device: module.Tensor(numpy.full(count, 0x5a, numpy.uint8).astype(dtype))
    module.cuda = types.SimpleNamespace(current_stream=lambda device: types.SimpleNamespace(cuda_stream=STREAM.value))
    monkeypatch.setitem(sys.modules, "torch", module)
    return module


KEYS = numpy.array([3, 1, 3, 3, 9, 0], numpy.int32)
VALUES = numpy.array([1, 2, 4, 8, 16, 32], numpy.float32)
SUMS, COUNTS = [32, 2, 0, 13, 0], [1, 1, 0, 3, 0]


def test_arrays_of_cupy(ladder, cupy):
    keys, values = cupy.ndarray(KEYS), cupy.ndarray(VALUES)
    assert list(ladder.bincount(keys, 5).read()) == COUNTS
    assert list(ladder.reduce_by_index(keys, values, 5, "sum").read()) == SUMS
    extremes = ladder.reduce_by_index(keys, values, 5, "minmax")
    assert extremes.read().tolist()[3] == [1, 8] and extremes.read().shape == (5, 2)
    text = numpy.frombuffer(b"abracadabra", numpy.uint8)
    assert ladder.histogram(cupy.ndarray(text)).read()[ord("a")] == 5


def test_arrays_of_pytorch(ladder, torch):
    keys, values = torch.Tensor(KEYS), torch.Tensor(VALUES)
    counts = ladder.bincount(keys, 5)
    assert list(counts.read()) == COUNTS and counts.array.dtype == numpy.int64
    assert list(ladder.reduce_by_index(keys, values, 5, "sum").read()) == SUMS


@pytest.mark.parametrize("kind", [Named, Tensor])
def test_arrays_of_an_unknown_library(ladder, kind):
    result = ladder.reduce_by_index(kind(KEYS), kind(VALUES), 5, "powers")
    interface = result.__cuda_array_interface__
    assert interface["shape"] == (5, 8) and interface["typestr"] == "<f4"
    copy = Memory(numpy.zeros((5, 8), numpy.float32))
    copy.address = ctypes.c_void_p(interface["data"][0])
    assert copy.read()[3].tolist()[:2] == [3, 13]
    copy.address = None


def test_the_stream_of_an_interface(ladder):
    result = ladder.bincount(Named(KEYS, stream=STREAM.value), 5)
    assert result.__cuda_array_interface__["stream"] == STREAM.value


@pytest.mark.parametrize("error, keys, values", [
    (ValueError, Named(KEYS, strides=(8,)), None),
    (ValueError, Named(KEYS.reshape(2, 3)), None),
    (TypeError, Named(KEYS.astype(numpy.int64)), None),
    (TypeError, Named(KEYS, typestr=">i4"), None),
    (TypeError, Named(KEYS), VALUES),
    (ValueError, Named(KEYS), Named(VALUES[:5])),
])
def test_what_does_not_fit_is_refused(ladder, error, keys, values):
    with pytest.raises(error):
        ladder.reduce_by_index(keys, values, 5, "count" if values is None else "sum")


def test_one_value_of_an_array_of_the_device_is_refused(ladder):
    with pytest.raises(TypeError):
        ladder.reduce(Named(VALUES))
