/** The body of a response; null where it is longer, and then its connection is closed. */
export const textOf = async (response: Response, maxBytes: number): Promise<string | null> => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
