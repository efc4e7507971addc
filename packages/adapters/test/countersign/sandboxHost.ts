import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Address } from "@countersign/core/foundation/primitives"
import { ManagedRuntime } from "effect"
import { privateKeyToAccount } from "viem/accounts"
import { SandboxChains } from "../../sandbox/index.ts"
import { type Countersign, type CountersignOptions, type CountersignProject, signQuote } from "../../src/index.ts"

export const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
export const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
export const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
export const SECRETS_KEY = Buffer.alloc(32, 7).toString("base64")

interface SignDatum {
  readonly type: string
  readonly method: string
  readonly hash: string
  // biome-ignore lint/suspicious/noExplicitAny: passed to viem unchanged.
  readonly typedData?: any
}

/** Starts a host process on a sandbox, with everything that `Countersign.open` requires. */
export const startHost = async () => {
  const home = mkdtempSync(join(tmpdir(), "countersign-library-"))
  const sandboxRuntime = ManagedRuntime.make(SandboxChains.layer({ home, eager: [1] }))
  const chains = await sandboxRuntime.runPromise(SandboxChains)
  const [owner] = chains.keys.owners
  const account = privateKeyToAccount(owner!.privateKey)
  let databaseCount = 0

  const sign = ({ hash, method, typedData }: SignDatum) =>
    method === "personal_sign"
      ? account.signMessage({ message: { raw: hash as `0x${string}` } })
      : account.signTypedData(typedData)

  return {
    options: (changes: Partial<CountersignOptions> = {}): CountersignOptions => ({
      database: join(home, `library-${++databaseCount}.db`),
      chains: { 1: { rpcUrl: chains.rpcUrl(1) } },
      bundler: {
        operatorKeys: { "0.7": chains.keys.operators["0.7"].privateKey, "0.8": chains.keys.operators["0.8"].privateKey }
      },
      paymaster: {
        signerKey: chains.keys.paymasterSigner.privateKey,
        treasury: chains.keys.treasury.address,
        addresses: chains.paymasters
      },
      secretsKey: SECRETS_KEY,
      webhooks: { allowPrivateTargets: true },
      ...changes
    }),
    rpcUrl: chains.rpcUrl(1),
    rpcUrlOf: chains.rpcUrl,
    owner: account.address,
    account,
    /** Registers a wallet of the owner, with 1000 USDC and 1 ether. */
    wallet: async ({ wallets }: Countersign | CountersignProject, salt: number) => {
      const factories = await wallets.factories()
      const factory = factories.find(({ name }) => name === "SimpleAccount 0.8")!.factory
      const wallet = await wallets.register({
        externallyOwnedAccount: account.address,
        factory,
        salt: String(salt)
      })
      const address = Address.make(wallet.walletAddress)
      await sandboxRuntime.runPromise(chains.fund(1, address, Address.make(USDC), 1_000_000_000n))
      await sandboxRuntime.runPromise(chains.fund(1, address, "native", 10n ** 18n))
      return wallet.walletAddress
    },
    /** Returns the body of `execute` for a prepared quote: the quote with its signatures. */
    signedQuote: (quote: Parameters<typeof signQuote>[0]) => signQuote(quote, account),
    /** Returns the body of `userOperations.execute` for the same quote. */
    signed: async (quote: {
      readonly userOperationHash: string | null
      readonly signData: ReadonlyArray<SignDatum>
    }) => {
      const operation = quote.signData.find(({ hash }) => hash === quote.userOperationHash)!
      return { userOperationHash: operation.hash, signature: await sign(operation) }
    },
    /** Sends 1 ether to an address. */
    fund: (address: string) => sandboxRuntime.runPromise(chains.fund(1, Address.make(address), "native", 10n ** 18n)),
    stop: async () => {
      await sandboxRuntime.dispose()
      rmSync(home, { recursive: true, force: true })
    }
  }
}
export type Host = Awaited<ReturnType<typeof startHost>>

export const swapOf = (walletAddress: string, changes: Record<string, unknown> = {}) => ({
  walletAddress,
  toAddress: walletAddress,
  chainIdIn: 1 as const,
  chainIdOut: 1 as const,
  tokenIn: USDC,
  tokenOut: WETH,
  amountIn: "100",
  payGasFeeToken: USDC,
  gasFeePaymentMethod: "ADD_TO_AMOUNT" as const,
  ...changes
})

export const transferOf = (walletAddress: string, changes: Record<string, unknown> = {}) => ({
  walletAddress,
  chainId: 1 as const,
  token: USDC,
  amount: "10",
  toAddress: "0x00000000000000000000000000000000000000aa",
  payGasFeeToken: USDC,
  gasFeePaymentMethod: "ADD_TO_AMOUNT" as const,
  ...changes
})
