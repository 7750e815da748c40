// Pictures for models. Nothing here can decode one, so none is made smaller: callers send it as it is.

export const resizeImage = async () => null;
export const convertToPng = async (data, mimeType) => (mimeType === "image/png" ? { data, mimeType } : null);

export function formatDimensionNote(result) {
  if (!result.wasResized) return undefined;
  const scale = (result.originalWidth / result.width).toFixed(2);
  return `[Image of ${result.originalWidth}x${result.originalHeight}, shown as ${result.width}x${result.height}: a place in the original is ${scale} times as far]`;
}
