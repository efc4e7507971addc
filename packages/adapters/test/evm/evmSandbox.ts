import { randomBytes } from "node:crypto"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address, Entropy, type Hash32, HexBytes, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { reportedPrice, type Token, TokenPrices, tokenKey } from "@countersign/core/foundation/tokens"
import { UnpaidGasLedger } from "@countersign/core/operations/unpaid-gas"
import {
  AccountOperations,
  Bundler,
  type Call,
  type FirstUse,
  FirstUseOfGasToken,
  type Paymaster,
  type UserOperation,
  UserOperationBuilder
} from "@countersign/core/operations/user-operations"
import type { Account, AccountKind } from "@countersign/core/wallets/registry"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { privateKeyToAccount, sign } from "viem/accounts"
import { SandboxChains, type SandboxKey, sandboxOperatorKeys, sandboxTokens } from "../../sandbox/index.ts"
import { entryPointSimulations } from "../../src/chains/deployments/index.ts"
import { implementationOf } from "../../src/chains/evm/accounts/accountImplementations.ts"
import * as EvmAccountAddresses from "../../src/chains/evm/accounts/EvmAccountAddresses.ts"
import * as EvmAccountOperations from "../../src/chains/evm/accounts/EvmAccountOperations.ts"
import * as SelfBundler from "../../src/chains/evm/bundler/SelfBundler.ts"
import { addressFromHex, bytesFromHex } from "../../src/chains/evm/hex.ts"
import * as SelfPaymaster from "../../src/chains/evm/paymaster/SelfPaymaster.ts"
import { type RpcClients, layer as rpcClientsLayer } from "../../src/chains/evm/RpcClients.ts"
import * as ViemChainReader from "../../src/chains/evm/ViemChainReader.ts"
import { OperatorAccountKeeper } from "../../src/service/workers/index.ts"
import { layerSqlite } from "../../src/storage/kysely/index.ts"
import { limitedNode } from "./emulators/limitedNode.ts"
import { PATIENT_RPC } from "./patientRpc.ts"

/** The chain that these tests run on. */
export const CHAIN: EvmChainId = 1

export const accountKinds: ReadonlyArray<AccountKind> = ["SIMPLE_0_7", "SIMPLE_0_8", "SAFE_4337", "SIMPLE_7702"]

const tokenOf = (role: "usdc" | "native" | "usdt"): Token => {
  const token = sandboxTokens(CHAIN).find((candidate) => candidate.role === role)
  if (token === undefined) throw new Error(`chain ${CHAIN} has no ${role}`)
  const { chainId, address, name, symbol, decimals } = token
  return { chainId, address, name, symbol, decimals, realWorldAsset: false }
}

export const usdc = tokenOf("usdc")
export const usdt = tokenOf("usdt")
export const weth = tokenOf("native")
export const nativeToken: Token = { ...weth, address: NATIVE_TOKEN, name: "Ether", symbol: "ETH" }

const E18 = 10n ** 18n

/** The prices of the sandbox's pools. USDT has no price here, because some tests need a token without a price. */
export const priceLayer = Layer.succeed(
  TokenPrices,
  TokenPrices.of({
    findPrices: () =>
      Effect.succeed(
        new Map([
          [tokenKey(nativeToken), reportedPrice(3000n * E18)],
          [tokenKey(weth), reportedPrice(3000n * E18)],
          [tokenKey(usdc), reportedPrice(E18)]
        ])
      )
  })
)

const entropy = Layer.succeed(
  Entropy,
  Entropy.of({
    bytes: (length) => Effect.sync(() => new Uint8Array(randomBytes(length))),
    uuid: Effect.sync(() => crypto.randomUUID()),
    sha256: () => Effect.die(new Error("unused"))
  })
)

export const rpcClients = Layer.unwrap(
  Effect.map(SandboxChains, ({ rpcUrl }) => rpcClientsLayer({ urls: (chainId) => [rpcUrl(chainId)], ...PATIENT_RPC }))
)

/** Provides RPC clients of a node that rejects these methods. */
export const limitedRpcClients = (refusedMethods: ReadonlyArray<string>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { rpcUrl } = yield* SandboxChains
      const url = yield* limitedNode(rpcUrl(CHAIN), refusedMethods)
      return rpcClientsLayer({ urls: () => [url], ...PATIENT_RPC })
    })
  )

/** The store of the operator's transactions, in a separate database. */
export const operatorTransactions = layerSqlite(":memory:")

export const selfBundler = Layer.unwrap(
  Effect.map(SandboxChains, ({ keys }) =>
    SelfBundler.layer({
      operatorKeys: sandboxOperatorKeys(keys),
      simulations: entryPointSimulations
    })
  )
)

const selfPaymasterFor = (bundlers: "LISTED" | "ALL") =>
  Layer.unwrap(
    Effect.map(SandboxChains, ({ keys, paymasters }) =>
      SelfPaymaster.layer({
        bundlers,
        paymasters,
        signerKey: Redacted.make(HexBytes.make(keys.paymasterSigner.privateKey)),
        treasury: keys.treasury.address
      })
    )
  )

export const selfPaymaster = selfPaymasterFor("LISTED")

export const accounts = Layer.merge(EvmAccountAddresses.layer({ chainIds: () => [CHAIN] }), EvmAccountOperations.layer)

const infrastructureOver = (clients: typeof rpcClients) =>
  Layer.mergeAll(clients, priceLayer, entropy).pipe(Layer.provideMerge(SandboxChains.layerTemporary))

const bundlerWithKeeper = OperatorAccountKeeper.layer.pipe(Layer.provideMerge(selfBundler))

/** Provides all services that execute operations on one sandbox chain, with this paymaster. */
export const withPaymaster = <A, E>(
  paymaster: Layer.Layer<A | Paymaster, E, SandboxChains | RpcClients | TokenPrices>,
  firstUse: FirstUse = "TRUSTED",
  clients = rpcClients
) =>
  UserOperationBuilder.layer.pipe(
    Layer.provide(Layer.succeed(FirstUseOfGasToken, firstUse)),
    Layer.provideMerge(Layer.mergeAll(accounts, ViemChainReader.layer, bundlerWithKeeper, paymaster)),
    Layer.provideMerge(UnpaidGasLedger.layer),
    Layer.provideMerge(Layer.orDie(operatorTransactions)),
    Layer.provideMerge(infrastructureOver(clients))
  )

/** The services of `withPaymaster` with the built-in paymaster. */
export const evmSandbox = withPaymaster(selfPaymaster)

/** The services of `evmSandbox` with a node that rejects these methods. */
export const evmSandboxWithout = (refusedMethods: ReadonlyArray<string>) =>
  withPaymaster(selfPaymaster, "TRUSTED", limitedRpcClients(refusedMethods))

/** The services of `evmSandbox`, but the first operation that pays gas in a token must prepay it. */
export const evmSandboxPaidFirst = withPaymaster(selfPaymaster, "PAID")

/** The services of `evmSandbox`, with a paymaster that accepts any bundler. */
export const evmSandboxForAnyBundler = withPaymaster(selfPaymasterFor("ALL"))

export const freshOwner = (): SandboxKey => {
  const privateKey = bytesFromHex(`0x${randomBytes(32).toString("hex")}`)
  return { privateKey, address: addressFromHex(privateKeyToAccount(privateKey).address) }
}

export const accountOf = (kind: AccountKind, owner: SandboxKey, salt = 0): Account => {
  const { info, addressOf } = implementationOf(kind)
  const { factory, implementation, eip7702 } = info
  return { address: addressOf(owner.address, salt), owner: owner.address, factory, implementation, salt, kind, eip7702 }
}

export const randomAddress = (): Address => Address.make(`0x${randomBytes(20).toString("hex")}`)

export interface SignedOperation {
  readonly operation: UserOperation
  /** In the format that the account verifies. */
  readonly signature: HexBytes
  readonly authorization: HexBytes | null
}

/** Signs `signData` in the same way as the owner's wallet. */
export const signOperation = Effect.fnUntraced(function* (
  account: Account,
  owner: SandboxKey,
  operation: UserOperation
) {
  const operations = yield* AccountOperations
  const wallet = privateKeyToAccount(owner.privateKey)
  let signature = bytesFromHex("0x")
  let authorization: HexBytes | null = null
  for (const data of operations.buildSignData(account, operation)) {
    if (data.method === "personal_sign") {
      signature = bytesFromHex(yield* Effect.promise(() => wallet.signMessage({ message: { raw: data.hash } })))
    } else {
      const hashSignature = bytesFromHex(
        yield* Effect.promise(() => sign({ hash: data.hash, privateKey: owner.privateKey, to: "hex" }))
      )
      if (data.type === "AUTHORIZATION") authorization = hashSignature
      else signature = hashSignature
    }
  }
  const signedOperation: SignedOperation = {
    operation,
    signature: operations.wrapSignature(account, operation, signature),
    authorization
  }
  return signedOperation
})

/** Builds an operation with these calls as the service does. The gas is paid in this token. */
export const buildOperation = Effect.fnUntraced(function* (
  account: Account,
  calls: ReadonlyArray<Call>,
  payGasFeeToken: Token
) {
  const builder = yield* UserOperationBuilder
  const request = { chainId: CHAIN, account, payGasFeeToken, tokens: [NATIVE_TOKEN] }
  const context = yield* builder.readContext(request, yield* builder.gasTerms(request))
  return yield* builder.build(context, {
    expiresAtSeconds: Math.floor(Date.now() / 1000) + 300,
    provisionalLimits: {
      callGasLimit: 450_000n,
      verificationGasLimit: 350_000n,
      preVerificationGas: 60_000n,
      paymasterVerificationGasLimit: 60_000n,
      paymasterPostOpGasLimit: 80_000n
    },
    plan: () => Effect.succeed({ calls })
  })
})

/** Waits until the operation is included. The node responds before it mines the block. */
export const outcomeOf = (operation: UserOperation, hash: Hash32) =>
  Effect.gen(function* () {
    const bundler = yield* Bundler
    return yield* Effect.fromOption(yield* bundler.findOutcome(operation, hash, 0n))
  }).pipe(Effect.retry(Schedule.spaced("5 millis").pipe(Schedule.upTo({ duration: "2 minutes" }))))
