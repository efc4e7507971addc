// Provides what the examples need from a running sandbox (`npm start`): a node and a faucet. With your own chains you
// do not need this file: `rpcUrl` is the URL of your node, and your owners and operators already have native tokens.
import { readFile } from "node:fs/promises"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"

interface SandboxFile {
  readonly gatewayUrl: string
  readonly chains: ReadonlyArray<{ readonly id: number; readonly rpcUrl: string }>
}

export const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
export const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
export const ETHER = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"

/**
 * Returns the URL of an Ethereum node, funded operator keys, a new owner account, and a function that funds addresses.
 */
export const openSandbox = async () => {
  // The sandbox writes this file into its folder, which is `.countersign` by default.
  const text = await readFile(process.env.SANDBOX_FILE ?? ".countersign/sandbox.json", "utf8")
  const { chains, gatewayUrl }: SandboxFile = JSON.parse(text)

  /** Sends an amount of a token in base units, or an amount of ether in wei, to an address. */
  const fund = async (address: string, token: string, amount: bigint) => {
    const fundingRequest = { chainId: 1, address, token: token === ETHER ? "native" : token, amount: String(amount) }
    const headers = { "content-type": "application/json" }
    const response = await fetch(`${gatewayUrl}/fund`, {
      method: "POST",
      headers,
      body: JSON.stringify(fundingRequest)
    })
    if (!response.ok) throw new Error(`The faucet rejected the request: ${await response.text()}`)
  }

  const operatorKeys = { "0.7": generatePrivateKey(), "0.8": generatePrivateKey() }
  for (const key of Object.values(operatorKeys)) await fund(privateKeyToAccount(key).address, ETHER, 10n ** 19n)

  return {
    rpcUrl: chains.find(({ id }) => id === 1)!.rpcUrl,
    operatorKeys,
    owner: privateKeyToAccount(generatePrivateKey()),
    fund
  }
}
