import { Context, type Effect, type Option, Schema } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import type { MintedNft, Simulation, StateChanges, TokenTransfer } from "./Simulation.ts"
import type { RevertReason, UserOperation } from "./UserOperation.ts"

/** The bundler rejects the operation, and would reject a retry. */
export class OperationRejected extends Schema.TaggedError<OperationRejected>("core/user-operations/OperationRejected")(
  "OPERATION_REJECTED",
  { reason: Schema.String }
) {
  override get message(): string {
    return `The bundler rejected the operation: ${this.reason}`
  }
}

/** The signature that an operation is simulated with. */
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
  /** Token movements of the account's calls, in order: only of this operation, and without its gas payment. */
  readonly transfers: ReadonlyArray<TokenTransfer>
  /** The NFTs (ERC-721) that the account's calls minted, in order. */
  readonly mintedNfts: ReadonlyArray<MintedNft>
  /** The total that the paymaster charged in its token; null if it charged none, or there is no paymaster. */
  readonly tokenPayment: TokenTransfer | null
}

/** Simulates and submits operations, and finds them on-chain. */
export class Bundler extends Context.Service<
  Bundler,
  {
    /**
     * Simulates the operation on the latest block, as it would be sent. Its gas limits may still be zero. Signatures,
     * including the paymaster's, are verified if the owner has signed; a stub only needs a valid format. With the state
     * changes of an earlier operation, it runs on top of them.
     */
    readonly simulate: (
      operation: UserOperation,
      signature: HexBytes,
      signedBy: SignedBy,
      after?: StateChanges
    ) => Effect.Effect<Simulation, UpstreamUnavailable>
    /** The state changes of the operation on the latest block. Its gas limits must be set. */
    readonly stateChanges: (
      operation: UserOperation,
      signature: HexBytes
    ) => Effect.Effect<StateChanges, UpstreamUnavailable>
    /**
     * Submits the operation. Repeating it while the first is pending or included is harmless. `signature` is in the
     * account's own format; `authorizationSignature` is the 65-byte one of the EIP-7702 tuple. `isDelegated`: whether
     * it is an EIP-7702 account, which no field shows once it has its code.
     */
    readonly submit: (
      operation: UserOperation,
      signature: HexBytes,
      authorizationSignature: HexBytes | null,
      isDelegated?: boolean
    ) => Effect.Effect<void, OperationRejected | UpstreamUnavailable>
    /**
     * None while the operation is in no block, and while the evidence of its outcome does not agree: the event, the
     * receipt and the used nonce, from two nodes if the chain has two. `fromBlock` bounds the search.
     */
    readonly outcome: (
      operation: UserOperation,
      hash: Hash32,
      fromBlock: bigint
    ) => Effect.Effect<Option.Option<OperationOutcome>, UpstreamUnavailable>
    /**
     * Unix seconds of the block up to which the operation is not included, if two facts agree: it has no event, and its
     * nonce is unused or used by another operation. Null if they do not. If the chain has two nodes, both must agree.
     */
    readonly absentUntil: (
      operation: UserOperation,
      hash: Hash32,
      fromBlock: bigint
    ) => Effect.Effect<number | null, UpstreamUnavailable>
  }
>()("@countersign/core/user-operations/Bundler") {}
