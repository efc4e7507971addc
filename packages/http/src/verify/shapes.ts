import type { components } from "../client/openapi.ts"
import type {
  BatchQuote,
  BatchRequest,
  LendingQuote,
  LendingRequest,
  SwapQuote,
  SwapRequest,
  TransferQuote,
  TransferRequest
} from "../client/resources.ts"
import type { RouterKind } from "./contracts.ts"

export type SignedOperation = components["schemas"]["SignedOperation"]

export type AnyRequest = SwapRequest | TransferRequest | BatchRequest | LendingRequest
export type AnyQuote = SwapQuote | TransferQuote | BatchQuote | LendingQuote

/** The account, as its owner knows it: a wallet of the registry, kept since its registration, is one. */
export interface KnownAccount {
  readonly walletAddress: string
  /** Of the account's kind; where it is EIP-7702 the delegate. */
  readonly factory: string
  readonly externallyOwnedAccount: string
  readonly salt: number
}

/** What the caller relies on, from somewhere else than the answer. Whatever is left out is not relied on. */
export interface Trust {
  /** Decimals of the tokens that the request names. The chain's coin and its wrapped form need none. */
  readonly decimals?: Readonly<Record<string, number>>
  /** Paymasters that may take the gas token. */
  readonly paymasters?: ReadonlyArray<string>
  /** Who collects `transactionFeePercent`: the project's treasury, and that of the service's operator where it has a share. */
  readonly collectors?: ReadonlyArray<string>
  /** The most that gas may cost, in whole tokens of `payGasFeeToken`. */
  readonly maxGasFee?: string
  /** Least to receive of each swap, in whole tokens of `tokenOut`, in the order of the request. */
  readonly minAmountsOut?: ReadonlyArray<string>
  /** More routers than the public ones that are known here, and how each reads its calls. */
  readonly routers?: Readonly<Record<string, RouterKind>>
  /** Ids of the markets of Morpho Blue that may be used, besides those that the request names. */
  readonly markets?: ReadonlyArray<string>
  /** Unix seconds of now: the machine's clock when left out. */
  readonly now?: number
  /** The longest that anything to be signed may hold, in seconds: an hour when left out. */
  readonly maxSeconds?: number
}

/** One thing that is not as it was asked for, or that can't be read. */
export interface Problem {
  /** For programs. */
  readonly code: ProblemCode
  /** For people. */
  readonly message: string
  /** Where in the quote. */
  readonly path: string
}

export type ProblemCode =
  | "unreadable"
  | "unknown_account"
  | "unknown_decimals"
  | "wrong_wallet"
  | "wrong_chain"
  | "wrong_entry_point"
  | "wrong_nonce"
  | "wrong_deployment"
  | "wrong_delegate"
  | "wrong_hash"
  | "wrong_signing"
  | "wrong_echo"
  | "wrong_preview"
  | "wrong_deadline"
  | "wrong_paymaster"
  | "gas_too_high"
  | "unknown_call"
  | "unknown_hook"
  | "unknown_spender"
  | "allowance_remains"
  | "pays_somebody_else"
  | "pays_too_much"
  | "pays_too_little"
  | "gives_too_little"
  | "left_in_router"
  | "unknown_market"
