/** Reads the asset, the receiver and the minimum amount from a memo. */
export const readMemo = (memo: string) => {
  const found = /^(?:=|s|swap):(?<asset>[^:]+):(?<to>0x[\da-f]{40}):(?<limit>\d+)(?<streamed>\/\d+\/\d+)?$/iu.exec(memo)
  if (found === null) return null
  const { asset = "", limit = "0", streamed, to = "" } = found.groups ?? {}
  return { asset, to: to.toLowerCase(), limit: BigInt(limit), isStreamed: streamed !== undefined }
}
