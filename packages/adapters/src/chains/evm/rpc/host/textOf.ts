/** The body of a response; null if it is longer, and then its connection is closed. */
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

/** The same, as text. */
export const textOf = async (response: Response, maxBytes: number): Promise<string | null> =>
  (await bytesOf(response, maxBytes))?.toString() ?? null
