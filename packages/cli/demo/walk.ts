import type { SandboxFile } from "@countersign/adapters/storage/home"
import { type Client, createClient } from "@countersign/http/client"
import { Clock, Effect } from "effect"
import { requestGateway } from "../src/environment/gatewayClient.ts"
import { metadata } from "./DemoContext.ts"
import { DemoFailed } from "./DemoFailed.ts"
import { deposit, withdrawal } from "./fiat.ts"
import { firstSwap } from "./firstSwap.ts"
import { batch, liquidity, loan, transfer } from "./moreOperations.ts"
import { say, showRequest, showResponse, title } from "./narrate.ts"

const CHAIN_ID = 1
const FACTORY = "SimpleAccount 0.8"
const FUNDS_USDC = 1_000

/** Registers a wallet of an owner with a new salt. */
const register = async (client: Client, owner: string, salt: string): Promise<string> => {
  title(1, "Register a wallet")
  say(
    "Owner, factory and salt determine the wallet's address. The registration sends no transaction: the first operation deploys the wallet."
  )
  const factory = (await client.wallets.factories()).find(({ name }) => name === FACTORY)
  if (factory === undefined) throw new DemoFailed({ reason: `The service has no factory ${FACTORY}.` })
  showRequest("POST /api/v1/wallets/register", [
    ["externallyOwnedAccount", owner],
    ["factory", `${factory.factory} (${FACTORY})`],
    ["salt", salt]
  ])
  const body = { externallyOwnedAccount: owner, factory: factory.factory, salt, metadata }
  const { deployed, registeredAt, walletAddress } = await client.wallets.register(body)
  const chains = deployed.flatMap(({ chain, deployed }) => (deployed ? chain.name : []))
  showResponse("201", [
    ["walletAddress", walletAddress],
    ["deployed", chains.length === 0 ? "on no chain yet" : `on ${chains.join(", ")}`],
    ["registeredAt", registeredAt ?? "-"]
  ])
  return walletAddress
}

/** Runs a step that calls the service as an external client does. An exception ends the demo with its message. */
const step = <A>(run: () => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      cause instanceof DemoFailed
        ? cause
        : new DemoFailed({ reason: cause instanceof Error ? cause.message : `${cause}` })
  })

/** Executes the first operations of a new wallet from start to end, as an external client does. Prints every step. */
export const runOperations = Effect.fnUntraced(function* (file: SandboxFile) {
  const owner = file.owners[1]
  const rpcUrl = file.chains.find(({ id }) => id === CHAIN_ID)?.rpcUrl
  const { USDC, WETH } = file.tokens[CHAIN_ID] ?? {}
  if (owner === undefined || rpcUrl === undefined || USDC === undefined || WETH === undefined) {
    return yield* new DemoFailed({
      reason:
        "The sandbox has no Ethereum chain, no USDC or WETH on it, or no second test owner. Restart it with `countersign sandbox start --fresh`."
    })
  }
  const client = createClient({ url: file.baseUrl, apiKey: file.apiKey })
  const salt = String(yield* Clock.currentTimeMillis)
  const wallet = yield* step(() => register(client, owner.address, salt))

  title(2, "Fund the wallet")
  say(`${FUNDS_USDC} USDC from the sandbox's faucet, and no ETH: the wallet pays its gas in USDC.`)
  const fundingRequest = { chainId: CHAIN_ID, address: wallet, token: USDC, amount: String(FUNDS_USDC * 1_000_000) }
  yield* requestGateway(file.gatewayUrl, "POST", "/fund", fundingRequest)

  const usdc = { symbol: "USDC", decimals: 6, address: USDC }
  const context = { client, owner, wallet, chainId: CHAIN_ID, rpcUrl, usdc, weth: WETH } as const
  yield* step(async () => {
    const price = await firstSwap(context)
    await transfer(context)
    await batch(context)
    await liquidity(context, price)
    await loan(context)
    const atBank = { ...context, gatewayUrl: file.gatewayUrl }
    await deposit(atBank)
    await withdrawal(atBank)
  })
})
