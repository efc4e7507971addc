import { Context, type Effect, type Option, Schema } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import type { MintedNft, Simulation, StateChanges, TokenTransfer } from "./Simulation.ts"
import type { RevertReason, UserOperation } from "./UserOperation.ts"

/** The bundler rejects the operation permanently, so a retry would fail too. */
export class OperationRejected extends Schema.TaggedError<OperationRejected>("core/user-operations/OperationRejected")(
  "OPERATION_REJECTED",
  { reason: Schema.String }
) {
  override get message(): string {
    return `The bundler rejected the operation: ${this.reason}`
  }
}

/** The type of signature in a simulation. */
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
  /** Token movements by the account's calls, in order. Excludes other operations and the gas payment. */
  readonly transfers: ReadonlyArray<TokenTransfer>
  /** The NFTs (ERC-721) that the account's calls minted, in order. */
  readonly mintedNfts: ReadonlyArray<MintedNft>
  /** The total that the paymaster charged in its token; null if it charged nothing, or if there is no paymaster. */
  readonly tokenPayment: TokenTransfer | null
}

/** Simulates and submits operations, and finds them on-chain. */
export class Bundler extends Context.Service<
  Bundler,
  {
    /**
     * Simulates the operation on the latest block, as it would be sent. Gas limits of zero are allowed. For OWNER,
     * signatures are verified, including the paymaster's; for STUB, only their format must be valid. If state changes
     * of an earlier operation are given, the simulation applies them first.
     */
    readonly simulate: (
      operation: UserOperation,
      signature: HexBytes,
      signedBy: SignedBy,
      after?: StateChanges
    ) => Effect.Effect<Simulation, UpstreamUnavailable>
    /** The state changes of the operation on the latest block. The operation must have gas limits. */
    readonly stateChanges: (
      operation: UserOperation,
      signature: HexBytes
    ) => Effect.Effect<StateChanges, UpstreamUnavailable>
    /**
     * Submits the operation. A repeated submission has no effect while the operation is pending or included.
     * `signature` has the account's format. `authorizationSignature` is the 65-byte signature of the EIP-7702 tuple.
     * `isDelegated` marks an EIP-7702 account, because no field of the operation shows this once the account has code.
     */
    readonly submit: (
      operation: UserOperation,
      signature: HexBytes,
      authorizationSignature: HexBytes | null,
      isDelegated?: boolean
    ) => Effect.Effect<void, OperationRejected | UpstreamUnavailable>
    /**
     * `None` while no block includes the operation. Also `None` while the evidence is inconsistent: the event, the
     * receipt and the used nonce must agree, on two nodes if the chain has two. `fromBlock` limits the search.
     */
    readonly outcome: (
      operation: UserOperation,
      hash: Hash32,
      fromBlock: bigint
    ) => Effect.Effect<Option.Option<OperationOutcome>, UpstreamUnavailable>
    /**
     * The timestamp of the latest block for which the operation is proven to be not included, in Unix seconds. The
     * proof needs two facts: the operation has no event, and its nonce is unused or used by another operation. If the
     * chain has two nodes, both must agree. Null without a proof.
     */
    readonly absentUntil: (
      operation: UserOperation,
      hash: Hash32,
      fromBlock: bigint
    ) => Effect.Effect<number | null, UpstreamUnavailable>
  }
>()("@countersign/core/user-operations/Bundler") {}
