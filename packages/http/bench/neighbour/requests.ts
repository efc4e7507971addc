import { swapOf, USDC, WETH } from "../../test/support/accounts.ts"

const DAI = "0x6b175474e89094c44da98b954eedeac495271d0f"
const LINK = "0x514910771af9ca656af840dff83e8264ecf986ca"
const pairs = [WETH, DAI, LINK]

export interface Caller {
  readonly baseUrl: string
  readonly apiKey: string
  readonly wallet: { readonly address: string }
}

let quoteCount = 0
/** Returns a different amount each time, because equal requests get the same response. */
const amount = (dollars: number): string => (dollars + (quoteCount++ % 9_000_000) * 1e-5).toFixed(6)

const postOk = async ({ apiKey, baseUrl }: Caller, path: string, body: unknown): Promise<void> => {
  const response = await fetch(baseUrl + path, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status}: ${text.slice(0, 160)}`)
}

/**
 * Requests a quote for a hundred swaps of USDC for three tokens. Each swap is quoted on the state of the pools after
 * the swaps before it.
 */
export const quoteBatch = (caller: Caller): Promise<void> =>
  postOk(caller, "/api/v1/crypto/batch-operations", {
    walletAddress: caller.wallet.address,
    chainId: 1,
    operations: Array.from({ length: 100 }, (_, i) => ({
      type: "swap",
      params: {
        amountIn: amount(10 + i),
        tokenIn: USDC,
        tokenOut: pairs[i % pairs.length],
        gasFeePaymentMethod: "ADD_TO_AMOUNT",
        payGasFeeToken: USDC
      }
    }))
  })

export const quoteBest = (caller: Caller): Promise<void> =>
  postOk(
    caller,
    "/api/v1/crypto/swap",
    swapOf(caller.wallet, { amountIn: amount(50_000), routeProfile: "BEST_OUTPUT" })
  )

export const quoteOne = (caller: Caller): Promise<void> =>
  postOk(caller, "/api/v1/crypto/swap", swapOf(caller.wallet, { amountIn: amount(100) }))
