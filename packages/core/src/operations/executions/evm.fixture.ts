import { DateTime, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import type { Transaction } from "../../accounting/history/index.ts"
import type { EvmChainId } from "../../foundation/chains/index.ts"
import { aHash, anAddress, at } from "../../foundation/primitives/ids.fixture.ts"
import { type Address, type Hash32, HexBytes, NATIVE_TOKEN } from "../../foundation/primitives/index.ts"
import {
  reportedPrice,
  type Token,
  TokenCatalog,
  type TokenKey,
  TokenPrices,
  tokenKey
} from "../../foundation/tokens/index.ts"
import { addressOf, type Wallet, WalletNotRegistered, Wallets } from "../../wallets/registry/index.ts"
import type { Quote } from "../quotes/index.ts"
import { UnpaidGasLedger } from "../unpaid-gas/index.ts"
import {
  AccountInspector,
  AccountOperations,
  type BlockAt,
  Bundler,
  ChainReader,
  type OperationOutcome,
  type Simulation,
  type UserOperation
} from "../user-operations/index.ts"
import { Acceptances } from "./acceptance/Acceptances.ts"
import { type IntentKind, IntentKinds } from "./acceptance/IntentKind.ts"
import { limitOrderKind } from "./acceptance/limitOrderKind.ts"
import { UserOperations } from "./acceptance/UserOperations.ts"
import { userOperationKind } from "./acceptance/userOperationKind.ts"
import type { Execution } from "./Execution.ts"
import { Executions } from "./Executions.ts"
import { ExecutionWorker } from "./ExecutionWorker.ts"
import { finalityStage } from "./finality/FinalityStage.ts"
import { inclusionStage } from "./inclusion/InclusionStage.ts"
import { aMemory, type Memory, memoryStores } from "./memoryStores.fixture.ts"
import { type Stage, Stages } from "./Stage.ts"

const ENTRY_POINT = anAddress()

const hashes = new Map<string, Hash32>()

/** Returns the same hash for operations with the same nonce and calldata. */
const hashOf = ({ callData, nonce }: UserOperation): Hash32 => {
  const key = `${nonce} ${callData}`
  const hash = hashes.get(key) ?? aHash()
  hashes.set(key, hash)
  return hash
}

interface Block {
  readonly number: bigint
  readonly hash: Hash32
}

/** The state of the simulated EVM chains, bundler and stores. */
export interface EvmFixture {
  readonly memory: Memory
  /** Unix seconds of the head of every chain. */
  blockTimestamp: number
  /** The block number of each chain's head; zero by default. */
  readonly heads: Map<EvmChainId, bigint>
  /** The blocks of each chain. If a block is missing, the node does not have it yet. */
  readonly blocks: Map<EvmChainId, ReadonlyArray<Block>>
  /** The balance of every account, by token. The default is 10^18. */
  readonly balances: Map<TokenKey, bigint>
  /** The nonces of included operations. */
  readonly usedNonces: Set<bigint>
  readonly listedTokens: Array<Token>
  /** Price of a token, scaled by 10^18. */
  readonly prices: Map<string, bigint>
  readonly deployedChains: Array<string>
  readonly wallets: Array<Wallet>
  /** Whether a second node reports the same blocks as the first one. */
  nodesAgree: boolean
  owner: Address
  transactionCount: bigint
  /** The changes of the account since its creation, as text. Null if it is unchanged. */
  accountChange: string | null
  simulate: Bundler["Service"]["simulate"]
  stateChanges: Bundler["Service"]["simulateStateChanges"]
  submit: Bundler["Service"]["submit"]
  outcome: Bundler["Service"]["findOutcome"]
  absentUntil: Bundler["Service"]["proveAbsentUntil"]
}

export const anEvmFixture = (...quotes: ReadonlyArray<Quote>): EvmFixture => {
  const intent = quotes[0]?.intents.find((candidate) => candidate.type === "USER_OPERATION")
  const fixture: EvmFixture = {
    memory: aMemory(...quotes),
    blockTimestamp: 0,
    heads: new Map(),
    blocks: new Map(),
    balances: new Map(),
    usedNonces: new Set(),
    listedTokens: [],
    prices: new Map(),
    deployedChains: [],
    wallets: [],
    transactionCount: 0n,
    accountChange: null,
    nodesAgree: true,
    owner: intent?.account.owner ?? NATIVE_TOKEN,
    simulate: () => Effect.succeed(aSimulation()),
    stateChanges: () => Effect.succeed({}),
    submit: () => Effect.void,
    outcome: () => Effect.succeedNone,
    absentUntil: () => Effect.sync(() => fixture.blockTimestamp)
  }
  return fixture
}

export const aSimulation = (fields: Partial<Simulation> = {}): Simulation => ({
  limits: {
    callGasLimit: 100_000n,
    verificationGasLimit: 100_000n,
    preVerificationGas: 50_000n,
    paymasterVerificationGasLimit: 0n,
    paymasterPostOpGasLimit: 0n
  },
  gasUsed: 200_000n,
  tokenPaid: null,
  revert: null,
  validUntil: null,
  transfers: [],
  allowanceChanges: [],
  notSeen: null,
  ...fields
})

export const anOutcome = (fields: Partial<OperationOutcome> = {}): OperationOutcome => ({
  success: true,
  transactionHash: aHash(),
  blockNumber: 100n,
  blockHash: aHash(),
  blockTimestamp: Math.floor(DateTime.toEpochMillis(at(5_000)) / 1_000),
  actualGasCost: 21_000n,
  revert: null,
  transfers: [],
  mintedNfts: [],
  tokenPayment: null,
  ...fields
})

/** Makes the bundler return an outcome. Adds its block to the chain, followed by `laterBlocks` empty blocks. */
export const include = (fixture: EvmFixture, chainId: EvmChainId, outcome: OperationOutcome, laterBlocks = 0n) => {
  fixture.outcome = () => Effect.succeedSome(outcome)
  setBlock(fixture, chainId, { number: outcome.blockNumber, hash: outcome.blockHash })
  fixture.heads.set(chainId, outcome.blockNumber + laterBlocks)
}

export const setBlock = ({ blocks }: EvmFixture, chainId: EvmChainId, block: Block) =>
  blocks.set(chainId, [...(blocks.get(chainId) ?? []).filter(({ number }) => number !== block.number), block])

/** Replaces a block of the chain, so that its transactions are no longer included. */
export const reorgBlock = (fixture: EvmFixture, chainId: EvmChainId, number: bigint) => {
  fixture.outcome = () => Effect.succeedNone
  setBlock(fixture, chainId, { number, hash: aHash() })
}

const blockIn = (fixture: EvmFixture, chainId: EvmChainId, number: bigint): BlockAt => ({
  headNumber: fixture.heads.get(chainId) ?? 0n,
  hash: fixture.blocks.get(chainId)?.find((block) => block.number === number)?.hash ?? null
})

export const chainReaderOf = (fixture: EvmFixture): ChainReader["Service"] => ({
  readAccountState: (chainId, { nonces, tokens }) =>
    Effect.sync(() => ({
      blockNumber: fixture.heads.get(chainId) ?? 0n,
      blockTimestamp: fixture.blockTimestamp,
      baseFeePerGas: 9n,
      maxFeePerGas: 10n,
      maxPriorityFeePerGas: 1n,
      hasCode: true,
      delegate: null,
      transactionCount: fixture.transactionCount,
      balances: new Map(
        tokens.map((address) => {
          const key = tokenKey({ chainId, address })
          return [key, fixture.balances.get(key) ?? 10n ** 18n]
        })
      ),
      allowances: [0n],
      usedNonces: new Set(nonces?.of.filter((nonce) => fixture.usedNonces.has(nonce)))
    })),
  readHead: (chainId) =>
    Effect.sync(() => ({ number: fixture.heads.get(chainId) ?? 0n, timestamp: fixture.blockTimestamp })),
  blockAt: (chainId, number) => Effect.sync(() => blockIn(fixture, chainId, number)),
  agreedBlockAt: (chainId, number) =>
    Effect.sync(() => {
      const block = blockIn(fixture, chainId, number)
      return fixture.nodesAgree ? { ...block, isMissing: block.hash === null } : { ...block, hash: null }
    })
})

export const evmPorts = (fixture: EvmFixture) =>
  Layer.mergeAll(
    Layer.mock(Wallets, {
      factories: [],
      require: (projectId, address) =>
        Effect.suspend(() => {
          const knownWallet = fixture.wallets.find(
            (wallet) => wallet.projectId === projectId && addressOf(wallet) === address
          )
          return knownWallet === undefined
            ? Effect.fail(new WalletNotRegistered({ walletAddress: address }))
            : Effect.succeed(knownWallet)
        }),
      recordDeployment: (address, chainId) =>
        Effect.sync(() => void fixture.deployedChains.push(`${address} ${chainId}`))
    }),
    Layer.succeed(AccountInspector, { changeOrNull: () => Effect.sync(() => fixture.accountChange) }),
    Layer.mock(AccountOperations, {
      entryPointOf: () => ({ address: ENTRY_POINT, version: "0.8" }),
      deploymentOf: () => ({ factory: ENTRY_POINT, factoryData: null }),
      encodeCalls: (_account, calls) => HexBytes.make(`0x${calls.map(({ data }) => data.slice(2)).join("")}`),
      stubSignatureOf: () => HexBytes.make("0x"),
      hash: hashOf,
      buildAuthorization: (chainId, address, nonce) => ({ chainId, address, nonce: Number(nonce), hash: aHash() }),
      buildSignData: (_account, operation) => [
        { type: "USER_OPERATION", method: "personal_sign", hash: hashOf(operation) }
      ],
      recoverSigner: () => Effect.sync(() => fixture.owner),
      detectSigningMistake: () => Effect.succeed(null),
      signsValidity: () => false,
      wrapSignature: (_account, _operation, signature) => signature
    }),
    Layer.succeed(Bundler, {
      simulate: (...args) => fixture.simulate(...args),
      simulateStateChanges: (...args) => fixture.stateChanges(...args),
      submit: (...args) => fixture.submit(...args),
      findOutcome: (...args) => Effect.suspend(() => fixture.outcome(...args)),
      proveAbsentUntil: (...args) => Effect.suspend(() => fixture.absentUntil(...args))
    }),
    Layer.succeed(ChainReader, chainReaderOf(fixture)),
    Layer.mock(TokenCatalog, {
      find: (chainId, address) =>
        Effect.sync(() =>
          Option.fromNullishOr(
            fixture.listedTokens.find((token) => token.chainId === chainId && token.address === address)
          )
        )
    }),
    Layer.succeed(TokenPrices, {
      findPrices: (tokens) =>
        Effect.sync(
          () =>
            new Map(
              tokens.flatMap((token) => {
                const price = fixture.prices.get(tokenKey(token))
                return price === undefined ? [] : [[tokenKey(token), reportedPrice(price)] as const]
              })
            )
        )
    }),
    UnpaidGasLedger.layer.pipe(Layer.provideMerge(memoryStores(fixture.memory)))
  )

/**
 * Provides everything that executes quotes from acceptance to the end: the stages of user operations, additional
 * stages, and in-memory stores.
 */
export const evmFixtureLayer = <R = never>(
  fixture: EvmFixture,
  extraStages: ReadonlyArray<Effect.Effect<Stage, never, R>> = [],
  extraKinds: ReadonlyArray<Effect.Effect<IntentKind, never, R>> = []
) => {
  const stages = Layer.effect(Stages, Effect.all([inclusionStage, finalityStage, ...extraStages]))
  const kinds = Layer.effect(IntentKinds, Effect.all([userOperationKind, limitOrderKind, ...extraKinds]))
  return Layer.mergeAll(UserOperations.layer, ExecutionWorker.layer).pipe(
    Layer.provideMerge(Acceptances.layer),
    Layer.provideMerge(Executions.layer),
    Layer.provideMerge(Layer.merge(stages, kinds)),
    Layer.provideMerge(evmPorts(fixture))
  )
}

/** Sets the clock to `at(milliseconds)`, the times that the fixtures use. */
export const setClock = (milliseconds: number) => TestClock.setTime(DateTime.toEpochMillis(at(milliseconds)))

/** Runs one check of every due execution. Returns the number of executions. */
export const runWorker = ExecutionWorker.use((executionWorker) => executionWorker.runDue("worker"))

/** Advances the clock, by default by one minute, and runs the checks. */
export const runWorkerLater = (milliseconds = 60_000) => Effect.andThen(TestClock.adjust(milliseconds), runWorker)

export const transactionIn = ({ memory }: EvmFixture): Transaction => [...memory.transactions.values()][0]!

export const storedExecutionIn = ({ memory }: EvmFixture) => [...memory.executions.values()][0]!

export const stageNameIn = (fixture: EvmFixture): string => {
  const { at: index, stages }: Execution = storedExecutionIn(fixture).execution
  return stages[index]!.name
}
