/* shapes.js - what the bits of an element mean: its fields, such as a key and a value.
 *
 * A cell of the page is an element, or a part of it where a kernel uses parts. Values are numbers, or
 * strings of digits where a number would not be exact. */
"use strict";

const ALL_ONES = 0xffffffff; // the index of nothing, of argmax

/* Which cell of its element it is: 0 where a cell is a whole element. */
function cell_in_element(array, cell) {
  return ((cell % array.per) + array.per) % array.per;
}

/* The fields in a cell, with their first bits in it; none where it is a number like any other. */
function fields_in(array, cell) {
  if (!array?.shape) return [];
  const at = cell_in_element(array, cell);
  array.fields ??= Array.from({ length: array.per }, (_, part) => {
    const begin = part * array.bytes * 8, end = begin + array.bytes * 8;
    return array.shape.fields.filter(([, , from, bits]) => from >= begin && from + bits <= end)
      .map(([name, type, from, bits]) => ({ name, type, from: from - begin, bits }));
  });
  return array.fields[at];
}

function float_from(bits, size) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return size === 64 ? view.getFloat64(0) : view.getFloat32(4);
}

/* A field's number. Bits that are no ordinary float are a whole number, which a kernel keeps there. */
function field_number(value, { type, from, bits }) {
  const word = (BigInt(value) >> BigInt(from)) & ((1n << BigInt(bits)) - 1n);
  const exponent = word >> (bits === 64 ? 52n : 23n) & (bits === 64 ? 0x7ffn : 0xffn);
  return type === "f" && (exponent !== 0n || word === 0n) ? float_from(word, bits) : Number(word);
}

function number_words(number) {
  if (Number.isInteger(number)) return String(number);
  if (Number.isNaN(number)) return "NaN";
  return Number.isFinite(number) ? String(Number(number.toPrecision(6))) : number > 0 ? "\u221e" : "\u2212\u221e";
}

function field_words(value, field) {
  const number = field_number(value, field);
  if (field.type === "c") return letter(number);
  return field.name === "index" && number === ALL_ONES ? "\u2013" : number_words(number);
}

/* A cell's number, where it has one: of a count, or a sum; else null. */
function cell_number(array, cell, value) {
  if (value === null || value === undefined) return null;
  const fields = fields_in(array, cell);
  if (fields.length > 1) return null;
  return fields.length ? field_number(value, fields[0]) : Number(value);
}

/* A value as a cell shows it: "17", "12:0.5", a letter of a text. */
function value_words(array, value, cell = 0) {
  if (value === null || value === undefined) return "?";
  if (Array.isArray(value))
    return value.map((one, p) => value_words(array, one, cell + p)).join(is_letters(array) ? "" : " ");
  if (array?.is_text) return letter(value);
  const fields = fields_in(array, cell);
  if (fields.length === 0) return number_words(Number(value));
  return fields.map((field) => field_words(value, field)).join(":");
}

function is_letters(array) {
  return Boolean(array && (array.is_text || array.shape?.fields[0][1] === "c"));
}

function letter(code) {
  if (code === 32) return "\u2423"; // open box
  if (code === 10) return "\u21b5";
  return code > 32 && code < 127 ? String.fromCharCode(code) : "\u00b7";
}

/* ".value" of a cell that is a part of an element; else "". */
function part_words(array, cell) {
  if (array.per === 1) return "";
  const [field] = fields_in(array, cell);
  return field ? `.${field.name}` : ` at byte ${cell_in_element(array, cell) * array.bytes}`;
}

/* The output that a cell of the result, or of a copy of it, is. */
function output_of(array, cell) {
  return Math.floor(cell / array.per);
}

function bin_name(trace, bin) {
  return trace.names?.[bin] ?? String(bin);
}
