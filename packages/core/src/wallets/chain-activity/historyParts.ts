import { Effect, Option } from "effect"
import { detectedTokenDetails, type Transaction } from "../../accounting/history/index.ts"
import { type Address, NATIVE_TOKEN } from "../../foundation/primitives/index.ts"
import {
  type ByToken,
  isToken,
  type Token,
  TokenCatalog,
  tokenKey,
  type UsdPriceE18,
  usdValueOrNull
} from "../../foundation/tokens/index.ts"
import { flowsOf } from "../../operations/executions/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import type { Evidence } from "./Activity.ts"
import { ActivityStore, type StoredTransfer } from "./ActivityStore.ts"
import { type DetectedPart, detectedPartsOf } from "./foundTransactions.ts"
import type { OwnOperation } from "./ownOperations.ts"
import { unrecordedFlows } from "./unrecordedFlows.ts"

/** The parts of a transaction that a project's history must contain. */
export interface HistoryParts {
  readonly parts: ReadonlyArray<DetectedPart>
  /** Returns whether another history entry of the project has recorded the token in the same direction. */
  readonly isRecorded: (transaction: Transaction) => boolean
}

/** Splits an account's movements in a transaction into parts for a project's history. */
export const historyParts = Effect.gen(function* () {
  const store = yield* ActivityStore
  const catalog = yield* TokenCatalog

  const findListedTokens = Effect.fnUntraced(function* (
    { detectedTransfer: { chainId } }: StoredTransfer,
    addresses: Set<Address>
  ) {
    const listedTokens = yield* Effect.forEach(addresses, (address) => catalog.find(chainId, address))
    return new Map(listedTokens.filter(Option.isSome).map(({ value }) => [value.address, value]))
  })

  /**
   * Returns the gas cost that the account paid in the native token, without the cost of operations that the project has
   * recorded.
   */
  const gasOf = (
    { address }: StoredTransfer["detectedTransfer"],
    { fee, from, operations }: Evidence,
    ownOperations: ReadonlyArray<OwnOperation>,
    projectId: ProjectId
  ): bigint => {
    const operationsGas = operations.reduce((sum, { actualGasCost, paysInNativeToken, sender }, index) => {
      const ownOperation = ownOperations[index]!
      const isRecorded = ownOperation._tag === "Recorded" && ownOperation.projectId === projectId
      return sender === address && paysInNativeToken && !isRecorded ? sum + actualGasCost : sum
    }, 0n)
    return from === address ? operationsGas + fee : operationsGas
  }

  const splitMovements = Effect.fnUntraced(function* (
    projectId: ProjectId,
    { detectedTransfer }: StoredTransfer,
    evidence: Evidence,
    ownOperations: ReadonlyArray<OwnOperation>,
    tokens: ReadonlyMap<Address, Token>,
    usd: ByToken<UsdPriceE18>
  ) {
    const { address, chainId, coin, transactionHash } = detectedTransfer
    const recordedFlows = yield* store.listRecorded(projectId, address, chainId, transactionHash)
    const nativeTokenTransfers = evidence.success
      ? coin.map((nativeTokenTransfer) => ({ token: NATIVE_TOKEN, ...nativeTokenTransfer }))
      : []
    const flows = unrecordedFlows(flowsOf([...evidence.transfers, ...nativeTokenTransfers], [address]), recordedFlows)
    const isOwn = recordedFlows.length > 0
    const parts = detectedPartsOf(
      // The purpose of the service's own operation is known, so only its listed tokens are recorded.
      flows.filter(({ token }) => !isOwn || tokens.has(token)),
      {
        chainId,
        account: address,
        isListed: (token) => tokens.has(token),
        usdOf: (token, amount) => {
          const listedToken = tokens.get(token)
          return listedToken === undefined ? null : usdValueOrNull(amount, listedToken, usd.get(tokenKey(listedToken)))
        },
        gas: gasOf(detectedTransfer, evidence, ownOperations, projectId)
      }
    )
    const isRecorded = (transaction: Transaction) =>
      recordedFlows.some(
        ({ asset, direction }) =>
          isToken(asset) &&
          asset.token === detectedTokenDetails.in(transaction)?.token &&
          direction === (transaction.type === "CRYPTO_DEPOSIT" ? "IN" : "OUT")
      )
    return { parts, isRecorded } satisfies HistoryParts
  })

  return { listedAmong: findListedTokens, partsFor: splitMovements }
})
