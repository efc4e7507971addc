import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { Context, Effect, Layer } from "effect"
import { PRIVATE_FILE_MODE } from "../src/storage/files/index.ts"
import { anvilBinary } from "./anvil/anvilBinary.ts"
import type { BitcoinKey } from "./bitcoin/bitcoinKeys.ts"
import type { BitcoinControl, BitcoinStatus } from "./bitcoin/SandboxBitcoin.ts"
import { loadArtifacts } from "./contracts/index.ts"
import { type SolverMode, sandboxBook } from "./cow/index.ts"
import { paymasterPlacements } from "./deployment/placements.ts"
import { ESPLORA_PATH, Gateway } from "./gateway/Gateway.ts"
import { type SandboxKeys, sandboxKeys } from "./keys.ts"
import { SandboxNetwork } from "./network/SandboxNetwork.ts"
import { type SandboxError, sandboxErrorFrom } from "./SandboxError.ts"
import type { SandboxService } from "./SandboxService.ts"

export interface SandboxOptions {
  /** Folder for chain data, the clock and process ids. Only one sandbox can use a folder at a time. */
  readonly home: string
  /** Whether the start deletes the chain data of earlier runs. */
  readonly fresh?: boolean
  /** Chains that start immediately. Default: Ethereum and Base. The others start when they are first used. */
  readonly eager?: ReadonlyArray<EvmChainId>
  /** Default: any free port. */
  readonly gatewayPort?: number
}

const DEFAULT_EAGER: ReadonlyArray<EvmChainId> = [1, 8453]

const attempt = <A>(action: string, run: () => Promise<A>): Effect.Effect<A, SandboxError> =>
  Effect.tryPromise({ try: run, catch: sandboxErrorFrom(action) })

const make = Effect.fn("SandboxChains.make")(function* (options: SandboxOptions) {
  yield* Effect.try({ try: () => anvilBinary(), catch: sandboxErrorFrom("find anvil") })
  const artifacts = yield* loadArtifacts
  const keys = sandboxKeys()
  const paymasters = paymasterPlacements(keys)
  const { home, fresh = false, eager = DEFAULT_EAGER, gatewayPort = 0 } = options

  const network = yield* Effect.acquireRelease(
    attempt("start its chains", () => SandboxNetwork.open({ home, fresh, eager, artifacts, keys })),
    (resource) => Effect.promise(() => resource.close())
  )
  const orderBook = yield* Effect.acquireRelease(
    attempt("open its order books", () => sandboxBook(network, home, keys.treasury.address, fresh)),
    ({ solver }) => Effect.promise(() => solver.stop())
  )
  const gateway = yield* Effect.acquireRelease(
    attempt("open its gateway", () => Gateway.open(network, orderBook, gatewayPort)),
    (resource) => Effect.promise(() => resource.close())
  )
  const addressFile = join(home, "gateway.json")
  yield* Effect.acquireRelease(
    attempt("write its address to a file", () =>
      writeFile(addressFile, JSON.stringify({ url: gateway.url, pid: process.pid }), { mode: PRIVATE_FILE_MODE })
    ),
    () => Effect.promise(() => rm(addressFile, { force: true }))
  )

  return SandboxChains.of({
    gatewayUrl: gateway.url,
    rpcUrl: (chainId) => `${gateway.url}/chains/${chainId}`,
    isRunning: (chainId) => network.chain(chainId).running !== undefined,
    ensure: (chainId) => Effect.asVoid(attempt(`start chain ${chainId}`, () => network.chain(chainId).ensure())),
    serveBy: (service) => {
      network.service = service
    },
    fund: (chainId, address, token, amount) =>
      attempt(`fund ${address} on chain ${chainId}`, () => network.fund(chainId, address, token, amount)),
    fundUpTo: (chainId, address, token, amount) =>
      attempt(`fund ${address} on chain ${chainId}`, () => network.fundUpTo(chainId, address, token, amount)),
    blockNumber: (chainId) => attempt(`read chain ${chainId}`, () => network.blockNumber(chainId)),
    advanceClock: (seconds) => attempt("advance its clock", () => network.advance(seconds)),
    clockOffsetSeconds: () => network.clock.offsetSeconds,
    setSolver: (mode) =>
      Effect.sync(() => {
        orderBook.solver.mode = { ...orderBook.solver.mode, ...mode }
      }),
    reset: Effect.andThen(
      attempt("start over", () => network.reset()),
      Effect.sync(() => orderBook.book.orders.clear())
    ),
    bitcoin: {
      esploraUrl: `${gateway.url}${ESPLORA_PATH}`,
      wallets: network.bitcoin.wallets,
      control: (request) => attempt("reach its Bitcoin chain", () => network.bitcoin.control(request))
    },
    keys,
    paymasters: { "0.7": paymasters["0.7"].address, "0.8": paymasters["0.8"].address }
  })
})

/**
 * Nine EVM chains behind one gateway. Each chain is an anvil process with contracts at their production addresses. When
 * the scope closes, the running chains write their state and stop.
 */
export class SandboxChains extends Context.Service<
  SandboxChains,
  {
    readonly gatewayUrl: string
    /** Returns a URL that does not change while the sandbox runs. The first request to it starts the chain. */
    readonly rpcUrl: (chainId: EvmChainId) => string
    readonly isRunning: (chainId: EvmChainId) => boolean
    readonly ensure: (chainId: EvmChainId) => Effect.Effect<void, SandboxError>
    /** Sets the service through which the gateway decides verification sessions and reads fiat orders. */
    readonly serveBy: (service: SandboxService) => void
    /** Sends `amount` base units of a sandbox token or of the native token to an address. */
    readonly fund: (
      chainId: EvmChainId,
      address: Address,
      token: Address | "native",
      amount: bigint
    ) => Effect.Effect<void, SandboxError>
    /** Tops up the balance of an address to `amount` base units. */
    readonly fundUpTo: (
      chainId: EvmChainId,
      address: Address,
      token: Address | "native",
      amount: bigint
    ) => Effect.Effect<void, SandboxError>
    readonly blockNumber: (chainId: EvmChainId) => Effect.Effect<number, SandboxError>
    /** Advances the time of all chains. The service's clock is ahead by `clockOffsetSeconds`. */
    readonly advanceClock: (seconds: number) => Effect.Effect<void, SandboxError>
    readonly clockOffsetSeconds: () => number
    /** Changes how the limit order solver settles orders. */
    readonly setSolver: (mode: Partial<SolverMode>) => Effect.Effect<void>
    /** Deletes all chain data, deploys the contracts again, and resets the clock to the system time. */
    readonly reset: Effect.Effect<void, SandboxError>
    /** A regtest chain, which starts when it is first used. */
    readonly bitcoin: {
      readonly esploraUrl: string
      /** Wallets with UTXOs in the chain's first blocks. */
      readonly wallets: ReadonlyArray<BitcoinKey>
      readonly control: (request: BitcoinControl) => Effect.Effect<BitcoinStatus, SandboxError>
    }
    readonly keys: SandboxKeys
    /** ERC-20 and verifying paymasters with a deposit, by EntryPoint version. */
    readonly paymasters: { readonly "0.7": Address; readonly "0.8": Address }
  }
>()("@countersign/adapters/sandbox/SandboxChains") {
  static layer(options: SandboxOptions): Layer.Layer<SandboxChains, SandboxError> {
    return Layer.effect(SandboxChains, make(options))
  }

  /**
   * Provides a sandbox for tests in a temporary folder, which is deleted when the scope closes. Only Ethereum starts
   * immediately.
   */
  static readonly layerTemporary: Layer.Layer<SandboxChains, SandboxError> = Layer.effect(
    SandboxChains,
    Effect.gen(function* () {
      const home = yield* Effect.acquireRelease(
        attempt("create a temporary folder", () => mkdtemp(join(tmpdir(), "countersign-chains-"))),
        (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
      )
      return yield* make({ home, eager: [1] })
    })
  )
}
