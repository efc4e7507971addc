import { Context, type Effect, type Option, Schema } from "effect"
import type { UpstreamUnavailable } from "../../foundation/errors/index.ts"
import type { Hash32, HexBytes } from "../../foundation/primitives/index.ts"
import type { MintedNft, Simulation, StateChanges, TokenTransfer } from "./Simulation.ts"
import type { RevertReason, UserOperation } from "./UserOperation.ts"

/** The bundler will not take the operation, and would not if it were asked again. */
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

/** How an operation that is in a block ended. */
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
  /** Token movements of the account's calls, in order: of this operation alone, and without what gas took. */
  readonly transfers: ReadonlyArray<TokenTransfer>
  /** The NFTs (ERC-721) that the account's calls made, in order. */
  readonly mintedNfts: ReadonlyArray<MintedNft>
  /** The total that the paymaster took of its token; null where it took none, or there is no paymaster. */
  readonly tokenPayment: TokenTransfer | null
}

/** Simulates operations, brings them into blocks and finds them there. */
export class Bundler extends Context.Service<
  Bundler,
  {
    /**
     * Runs the operation on the latest block, as it would be sent. Its gas limits may still be zero. Signatures, the
     * paymaster's too, are judged where the owner has signed; a stub need only be well-formed. With changes that an
     * earlier operation would make, it runs on top of them.
     */
    readonly simulate: (
      operation: UserOperation,
      signature: HexBytes,
      signedBy: SignedBy,
      after?: StateChanges
    ) => Effect.Effect<Simulation, UpstreamUnavailable>
    /** The changes that the operation would make on the latest block. Its gas limits must be set. */
    readonly stateChanges: (
      operation: UserOperation,
      signature: HexBytes
    ) => Effect.Effect<StateChanges, UpstreamUnavailable>
    /**
     * Hands the operation over for inclusion. Repeating it while the first is pending or included does no harm.
     * `signature` is in the account's own format; `authorizationSignature` is the 65-byte one of the EIP-7702 tuple.
     * `isDelegated`: whether the account is an EIP-7702 one, which no field says once it has its code.
     */
    readonly submit: (
      operation: UserOperation,
      signature: HexBytes,
      authorizationSignature: HexBytes | null,
      isDelegated?: boolean
    ) => Effect.Effect<void, OperationRejected | UpstreamUnavailable>
    /**
     * None while the operation is in no block, and while the signs of how it ended do not agree: the event and the
     * receipt, with the nonce used, and two nodes where the chain has two. `fromBlock` bounds the search.
     */
    readonly outcome: (
      operation: UserOperation,
      hash: Hash32,
      fromBlock: bigint
    ) => Effect.Effect<Option.Option<OperationOutcome>, UpstreamUnavailable>
    /**
     * Unix seconds of the block up to which the operation is in none, where two signs agree: it has no event, and its
     * nonce is free or was used by another operation. Null where they do not. Where the chain has two nodes, two of them
     * say so.
     */
    readonly absentUntil: (
      operation: UserOperation,
      hash: Hash32,
      fromBlock: bigint
    ) => Effect.Effect<number | null, UpstreamUnavailable>
  }
>()("@countersign/core/user-operations/Bundler") {}
