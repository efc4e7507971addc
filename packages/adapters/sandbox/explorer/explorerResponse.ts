import { chainOf, evmChainIds } from "@countersign/core/foundation/chains"
import type { SandboxNetwork } from "../network/SandboxNetwork.ts"
import { chainTransactionOrNull } from "./chainTransaction.ts"
import { html } from "./html.ts"
import { page, transactionPage } from "./transactionPage.ts"

export interface ExplorerResponse {
  readonly status: 200 | 400 | 404 | 503
  readonly body: string
}

/** Prevents a page from running scripts, loading resources, or being embedded in another page. */
export const explorerHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff"
}

const PATH = /^\/chains\/(\d+)\/tx\/([^/]*)$/u

export const messagePage = (status: ExplorerResponse["status"], title: string, text: string): ExplorerResponse => ({
  status,
  body: page(title, html`<p>${text}</p>`)
})

/** Returns the page at `/chains/<id>/tx/<hash>`. Null for another path. */
export const explorerResponseOrNull = async (
  network: SandboxNetwork,
  path: string
): Promise<ExplorerResponse | null> => {
  const [, id, hash = ""] = PATH.exec(path) ?? []
  const chainId = evmChainIds.find((supportedId) => `${supportedId}` === id)
  if (chainId === undefined) return null
  if (!/^0x[0-9a-f]{64}$/iu.test(hash)) {
    return messagePage(400, "Not a transaction hash", "A transaction hash is 0x and 64 hexadecimal digits.")
  }
  const { name } = chainOf(chainId)
  const { running } = network.chain(chainId)
  // Does not start the chain, because any page in a browser can link to this page.
  if (running === undefined) {
    return messagePage(
      503,
      `${name} is not running`,
      "A sandbox chain starts when it is first used, for example by a quote."
    )
  }
  const transaction = await chainTransactionOrNull(running.rpc, hash)
  return transaction === null
    ? messagePage(
        404,
        "Unknown transaction",
        `No block of ${name} contains transaction ${hash}. A reset deletes all earlier transactions.`
      )
    : { status: 200, body: transactionPage(chainId, transaction) }
}
