import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { decimalFromBaseUnits } from "@countersign/core/foundation/primitives"
import { deploymentOf } from "../../src/chains/deployments/index.ts"
import { sandboxTokens } from "../deployment/market.ts"
import { type ChainTransaction, detailsOf } from "./chainTransaction.ts"
import { type Html, html } from "./html.ts"

const GWEI_DECIMALS = 9

const style = html`
  :root { color-scheme: light dark }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
  table { border-collapse: collapse; width: 100%; margin-bottom: 1.5rem }
  th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8884; overflow-wrap: anywhere }
  code, pre { font: 13px/1.5 ui-monospace, monospace }
  pre { overflow: auto }`

export const page = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style></head>
<body><h1>${title}</h1>${content}<p>Countersign sandbox: a chain for tests on this machine.</p></body>
</html>`.text

/** Displays hexadecimal data in lower case, because only some of it has a checksum. */
const code = (hex: string): Html => html`<code>${hex.toLowerCase()}</code>`

export const factTable = (rows: ReadonlyArray<readonly [string, string | Html]>): Html =>
  html`<table>${rows.map(([name, value]) => html`<tr><th>${name}</th><td>${value}</td></tr>`)}</table>`

export const table = (
  title: string,
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string | Html>>
): Html =>
  rows.length === 0
    ? html``
    : html`<h2>${title}</h2><table><tr>${heads.map((head) => html`<th>${head}</th>`)}</tr>${rows.map(
        (cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`
      )}</table>`

/** Formats a token amount as a decimal, or in base units if the sandbox does not have the token. */
const amountText = (chainId: EvmChainId, tokenAddress: string, amount: bigint): string => {
  const token = sandboxTokens(chainId).find(({ address }) => address === tokenAddress.toLowerCase())
  return token === undefined
    ? `${amount} base units of ${tokenAddress}`
    : `${decimalFromBaseUnits(amount, token.decimals)} ${token.symbol}`
}

/** Builds a page that describes a transaction. It loads no other resources. */
export const transactionPage = (chainId: EvmChainId, transaction: ChainTransaction): string => {
  const details = detailsOf(transaction)
  const { decimals, symbol } = deploymentOf(chainId).nativeCurrency
  const nativeAmountText = (amount: bigint) => `${decimalFromBaseUnits(amount, decimals)} ${symbol}`
  const { gasPrice, gasUsed, operations, transfers } = details
  const gas = `${gasUsed} at ${decimalFromBaseUnits(gasPrice, GWEI_DECIMALS)} gwei: ${nativeAmountText(gasUsed * gasPrice)}`
  return page(
    "Transaction",
    html`${factTable([
      ["Hash", code(details.hash)],
      ["Chain", `${chainOf(chainId).name} (${chainId})`],
      ["Block", `${details.blockNumber}`],
      ["Time", details.time.toISOString()],
      ["Status", details.isSuccess ? "success" : "reverted"],
      ["From", code(details.from)],
      ["To", details.to === null ? html`new contract ${code(details.deployed ?? "")}` : code(details.to)],
      ["Value", nativeAmountText(details.value)],
      ["Gas", gas]
    ])}${table(
      "Token transfers",
      ["From", "To", "Amount"],
      transfers.map(({ from, to, token, value }) => [code(from), code(to), amountText(chainId, token, value)])
    )}${table(
      "User operations",
      ["Hash", "Sender", "Paymaster", "Nonce", "Status", "Gas"],
      operations.map(({ actualGasCost, actualGasUsed, nonce, paymaster, sender, success, userOpHash }) => [
        code(userOpHash),
        code(sender),
        code(paymaster),
        `${nonce}`,
        success ? "success" : "reverted",
        `${actualGasUsed}: ${nativeAmountText(actualGasCost)}`
      ])
    )}<details><summary>Receipt</summary><pre>${JSON.stringify(transaction.receipt, null, 2)}</pre></details>`
  )
}
