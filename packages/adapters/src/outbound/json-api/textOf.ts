/** Reads the body of a response. If the body is longer than the limit, closes the connection and returns null. */
export const bytesOf = async (response: Response, maxBytes: number): Promise<Buffer | null> => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Reads the body of a response as text; null if it is longer than the limit. */
export const textOf = async (response: Response, maxBytes: number): Promise<string | null> =>
  (await bytesOf(response, maxBytes))?.toString() ?? null
