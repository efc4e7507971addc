/**
 * Parses the asset, the receiver and the minimum amount of a memo, and whether the swap is streamed. Null if the memo
 * requests no swap.
 */
export const readMemo = (memo: string) => {
  const match = /^(?:=|s|swap):(?<asset>[^:]+):(?<to>0x[\da-f]{40}):(?<limit>\d+)(?<streamed>\/\d+\/\d+)?$/iu.exec(memo)
  if (match === null) return null
  const { asset = "", limit = "0", streamed, to = "" } = match.groups ?? {}
  return { asset, to: to.toLowerCase(), limit: BigInt(limit), isStreamed: streamed !== undefined }
}
