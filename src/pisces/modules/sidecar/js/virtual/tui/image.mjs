// Pictures: the sidecar has no terminal of its own, so an image is drawn as a line that names it.

import { Buffer } from "node:buffer";
import { truncateToWidth } from "./wrap.mjs";

let capabilities = { images: null, trueColor: false, hyperlinks: false };
let cells = { widthPx: 9, heightPx: 18 };
let lastImage = 0;

export const getCapabilities = () => capabilities;
export const detectCapabilities = () => capabilities;
export const setCapabilities = (found) => void (capabilities = found);
export const setCapabilityOverrides = (overrides) => void (capabilities = { ...capabilities, ...overrides });
export const resetCapabilitiesCache = () => {};
export const getCellDimensions = () => cells;
export const setCellDimensions = (dimensions) => void (cells = dimensions);
export const allocateImageId = () => ++lastImage;

export const hyperlink = (text, url) => `\x1b]8;;${url}\x1b\\${text}\x1b]8;;\x1b\\`;
export const deleteKittyImage = (id) => `\x1b_Ga=d,d=I,i=${id},q=2\x1b\\`;
export const deleteAllKittyImages = () => "\x1b_Ga=d,d=A,q=2\x1b\\";
export const renderImage = () => null;

export function imageFallback(mimeType, dimensions, filename) {
  const size = dimensions ? `${dimensions.widthPx}x${dimensions.heightPx}` : "";
  return `[Image: ${[filename, `[${mimeType}]`, size].filter(Boolean).join(" ")}]`;
}

export function calculateImageRows(dimensions, widthCells, cell = cells) {
  const scale = (widthCells * cell.widthPx) / dimensions.widthPx;
  return Math.max(1, Math.ceil((dimensions.heightPx * scale) / cell.heightPx));
}

const bytesOf = (base64) => Buffer.from(base64, "base64");

export function getPngDimensions(base64) {
  const bytes = bytesOf(base64);
  if (bytes.length < 24 || bytes.readUInt32BE(0) !== 0x89504e47) return null;
  return { widthPx: bytes.readUInt32BE(16), heightPx: bytes.readUInt32BE(20) };
}

export function getGifDimensions(base64) {
  const bytes = bytesOf(base64);
  if (bytes.length < 10 || bytes.toString("latin1", 0, 3) !== "GIF") return null;
  return { widthPx: bytes.readUInt16LE(6), heightPx: bytes.readUInt16LE(8) };
}

/** Walks over the segments of a JPEG to the frame header, which has the size. */
export function getJpegDimensions(base64) {
  const bytes = bytesOf(base64);
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    if (bytes[at] !== 0xff) return null;
    if (bytes[at + 1] >= 0xc0 && bytes[at + 1] <= 0xc2) return { widthPx: bytes.readUInt16BE(at + 7), heightPx: bytes.readUInt16BE(at + 5) };
  }
  return null;
}

export function getWebpDimensions(base64) {
  const bytes = bytesOf(base64);
  if (bytes.length < 30 || bytes.toString("latin1", 8, 12) !== "WEBP") return null;
  const kind = bytes.toString("latin1", 12, 16);
  if (kind === "VP8 ") return { widthPx: bytes.readUInt16LE(26) & 0x3fff, heightPx: bytes.readUInt16LE(28) & 0x3fff };
  if (kind === "VP8X") return { widthPx: bytes.readUIntLE(24, 3) + 1, heightPx: bytes.readUIntLE(27, 3) + 1 };
  const bits = bytes.readUInt32LE(21);
  return kind === "VP8L" ? { widthPx: (bits & 0x3fff) + 1, heightPx: ((bits >> 14) & 0x3fff) + 1 } : null;
}

export function getImageDimensions(base64, mimeType) {
  const reader = { "image/png": getPngDimensions, "image/jpeg": getJpegDimensions, "image/gif": getGifDimensions, "image/webp": getWebpDimensions };
  return reader[mimeType]?.(base64) ?? null;
}

export class Image {
  constructor(base64Data, mimeType, theme, options = {}, dimensions = undefined) {
    const size = dimensions ?? getImageDimensions(base64Data, mimeType) ?? { widthPx: 800, heightPx: 600 };
    Object.assign(this, { base64Data, mimeType, theme, options, dimensions: size });
  }

  getImageId() {
    return this.options.imageId;
  }

  invalidate() {}

  render(width) {
    const line = this.theme.fallbackColor(imageFallback(this.mimeType, this.dimensions, this.options.filename));
    return [truncateToWidth(line, width)];
  }
}
