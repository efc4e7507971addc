import { bitcoinToken } from "@countersign/core/bitcoin/chain"
import { decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import type { SandboxBitcoin } from "../bitcoin/SandboxBitcoin.ts"
import { type ExplorerResponse, messagePage } from "./explorerResponse.ts"
import { type Html, html } from "./html.ts"
import { factTable, page, table } from "./transactionPage.ts"

/** The gateway's path of pages about the sandbox's Bitcoin chain. */
export const BITCOIN_PAGES_PATH = "/explorer/bitcoin"

const PATH = /^\/explorer\/bitcoin\/tx\/([^/]*)$/u

interface Output {
  readonly scriptpubkey: string
  readonly scriptpubkey_address?: string
  readonly value: number
}

/** The used fields of Esplora's response. */
interface Transaction {
  readonly txid: string
  readonly locktime: number
  readonly fee: number
  readonly weight: number
  readonly vin: ReadonlyArray<{
    readonly txid: string
    readonly vout: number
    readonly sequence: number
    readonly prevout: Output | null
  }>
  readonly vout: ReadonlyArray<Output>
  readonly status: { readonly confirmed: boolean; readonly block_height?: number; readonly block_time?: number }
}

const code = (text: string): Html => html`<code>${text}</code>`
const amountText = (satoshis: number): string => `${decimalFromBaseUnits(BigInt(satoshis), bitcoinToken.decimals)} BTC`
const receiver = ({ scriptpubkey, scriptpubkey_address }: Output): Html => code(scriptpubkey_address ?? scriptpubkey)
const link = (txid: string): Html => html`<a href="${BITCOIN_PAGES_PATH}/tx/${txid}"><code>${txid}</code></a>`

const transactionPage = ({ fee, locktime, status, txid, vin, vout, weight }: Transaction): string =>
  page(
    "Bitcoin transaction",
    html`${factTable([
      ["Id", code(txid)],
      ["Chain", "Bitcoin regtest. Its bitcoins have no value. Do not send mainnet bitcoins to its addresses"],
      ["Block", status.confirmed ? `${status.block_height}` : "none yet"],
      ...(status.block_time === undefined
        ? []
        : [["Time", new Date(status.block_time * 1_000).toISOString()] as const]),
      ["Fee", `${amountText(fee)}: ${(fee / (weight / 4)).toFixed(2)} sat/vB`],
      ["Lock time", `${locktime}`]
    ])}${table(
      "Inputs",
      ["Output", "Address", "Amount", "Sequence"],
      vin.map(({ prevout, sequence, txid: from, vout: at }) =>
        prevout === null
          ? ["new coins", "", "", `0x${sequence.toString(16)}`]
          : [html`${link(from)}:${`${at}`}`, receiver(prevout), amountText(prevout.value), `0x${sequence.toString(16)}`]
      )
    )}${table(
      "Outputs",
      ["Address or script", "Amount"],
      vout.map((output) => [receiver(output), amountText(output.value)])
    )}`
  )

/** Returns the page at `/explorer/bitcoin/tx/<txid>`. Null for another path. */
export const bitcoinPageOrNull = async (
  bitcoin: Pick<SandboxBitcoin, "forward" | "isRunning">,
  path: string
): Promise<ExplorerResponse | null> => {
  const txid = PATH.exec(path)?.[1]
  if (txid === undefined) return null
  if (!/^[\da-f]{64}$/u.test(txid)) {
    return messagePage(400, "Not a transaction id", "The id of a Bitcoin transaction is 64 hexadecimal digits.")
  }
  // Does not start the chain, because any page in a browser can link to this page.
  if (!bitcoin.isRunning) {
    return messagePage(503, "Bitcoin is not running", "The sandbox's Bitcoin chain starts when it is first used.")
  }
  const { body, status } = await bitcoin.forward("GET", `/tx/${txid}`, "")
  return status === 200
    ? { status: 200, body: transactionPage(JSON.parse(body) as Transaction) }
    : messagePage(404, "Unknown transaction", `The sandbox's Bitcoin chain does not contain transaction ${txid}.`)
}
