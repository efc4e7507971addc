import { Context, type Effect, type Option, Schema } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import type { MintedNft, Simulation, StateChanges, TokenTransfer } from "./Simulation.ts"
import type { RevertReason, UserOperation } from "./UserOperation.ts"

/** The bundler rejects the operation permanently, so a retry would also fail. */
export class OperationRejected extends Schema.TaggedError<OperationRejected>("core/user-operations/OperationRejected")(
  "OPERATION_REJECTED",
  { reason: Schema.String }
) {
  override get message(): string {
    return `The bundler rejected the operation: ${this.reason}`
  }
}

/** The signature in a simulation: the owner's, or a stub with a valid format. */
export type SignedBy = "OWNER" | "STUB"

/** The outcome of an included operation. */
export interface OperationOutcome {
  readonly success: boolean
  readonly transactionHash: Hash32
  readonly blockNumber: bigint
  readonly blockHash: Hash32
  /** Unix seconds of the block. */
  readonly blockTimestamp: number
  /** The cost of the operation, in wei. */
  readonly actualGasCost: bigint
  readonly revert: RevertReason | null
  /** Token movements that the account's calls caused, in order. Excludes other operations and the gas payment. */
  readonly transfers: ReadonlyArray<TokenTransfer>
  /** The NFTs (ERC-721) that the account's calls minted, in order. */
  readonly mintedNfts: ReadonlyArray<MintedNft>
  /** The total that the paymaster charged in its token. Null if it charged nothing, or if there is no paymaster. */
  readonly tokenPayment: TokenTransfer | null
}

/** Simulates and submits operations, and finds them on-chain. */
export class Bundler extends Context.Service<
  Bundler,
  {
    /**
     * Simulates the operation on the latest block, as it would be sent. Gas limits may be zero. With `OWNER`,
     * signatures are verified, including the paymaster's. With `STUB`, only their format must be valid. If state
     * changes of an earlier operation are given, they are applied before the simulation.
     */
    readonly simulate: (
      operation: UserOperation,
      signature: HexBytes,
      signedBy: SignedBy,
      precedingChanges?: StateChanges
    ) => Effect.Effect<Simulation, UpstreamUnavailable>
    /** Returns the state changes that the operation causes on the latest block. The operation must have gas limits. */
    readonly simulateStateChanges: (
      operation: UserOperation,
      signature: HexBytes
    ) => Effect.Effect<StateChanges, UpstreamUnavailable>
    /**
     * Submits the operation. A repeated submission has no effect while the operation is pending or included.
     * `signature` has the account's format. `authorizationSignature` is the 65-byte signature of the EIP-7702 tuple.
     * `isDelegated` marks an EIP-7702 account. It is required because no field of the operation shows this after the
     * account has code.
     */
    readonly submit: (
      operation: UserOperation,
      signature: HexBytes,
      authorizationSignature: HexBytes | null,
      isDelegated?: boolean
    ) => Effect.Effect<void, OperationRejected | UpstreamUnavailable>
    /**
     * Finds the outcome of an operation. `None` while no block includes it, or while the evidence is inconsistent. The
     * event, the receipt and the used nonce must agree, on at least two nodes, or on one if the chain has only one.
     * `fromBlock` limits the search.
     */
    readonly findOutcome: (
      operation: UserOperation,
      hash: Hash32,
      fromBlock: bigint
    ) => Effect.Effect<Option.Option<OperationOutcome>, UpstreamUnavailable>
    /**
     * Returns the timestamp in Unix seconds of the latest block up to which the operation is proven not to be included.
     * The proof requires that the operation has no event, and that its nonce is unused or was used by another
     * operation. At least two nodes must agree, or one if the chain has only one. Null if there is no proof.
     */
    readonly proveAbsentUntil: (
      operation: UserOperation,
      hash: Hash32,
      fromBlock: bigint
    ) => Effect.Effect<number | null, UpstreamUnavailable>
  }
>()("@countersign/core/user-operations/Bundler") {}
