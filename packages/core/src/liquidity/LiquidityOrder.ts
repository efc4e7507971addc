import { BadRequest, type RequestProblem } from "../errors/index.ts"
import type { FeeCollectors } from "../fees/index.ts"
import { POSITION_ID } from "../history/index.ts"
import type { Metadata } from "../primitives/index.ts"
import type { Project } from "../projects/index.ts"
import type { Token } from "../tokens/index.ts"
import type { SmartWallet } from "../wallets/index.ts"
import type { LiquidityRefusal } from "./errors.ts"

/** A request with its wallet and the tokens that it names looked up. */
export interface LiquidityOrder<Request, Name extends string> {
  readonly project: Project
  readonly wallet: SmartWallet
  readonly request: Request
  readonly tokens: Readonly<Record<Name, Token>>
  readonly collectors: FeeCollectors
}

/** As many keys as metadata can have. */
const MAX_METADATA_KEYS = 50

/** A position's id goes along in the metadata, which must have room for it. */
export const metadataProblems = (metadata: Metadata): ReadonlyArray<RequestProblem> =>
  Object.keys(metadata).length < MAX_METADATA_KEYS || metadata[POSITION_ID] !== undefined
    ? []
    : [
        {
          path: "metadata",
          code: "too_many_keys",
          message: `Expected at most ${MAX_METADATA_KEYS - 1} keys: ${POSITION_ID} is added to them.`
        }
      ]

/** Which field of a request a market's refusal is about. */
export type FieldsOf = Readonly<Record<LiquidityRefusal["about"], string>>

export const depositFields: FieldsOf = {
  POSITION: "tokenId",
  FEE_TIER: "poolFeePercent",
  PAIR: "token1",
  ROUTE: "tokenIn",
  AMOUNT: "amountIn",
  CHAIN: "chainId"
}

export const withdrawFields: FieldsOf = { ...depositFields, ROUTE: "tokenOut", AMOUNT: "percentage" }
export const rebalanceFields: FieldsOf = { ...depositFields, ROUTE: "tokenId", AMOUNT: "newPosition" }

/** The caller's mistake that a refusal of the market is. */
export const refusedRequest = ({ about, reason }: LiquidityRefusal, fields: FieldsOf): BadRequest =>
  BadRequest.of(fields[about], about.toLowerCase(), reason)
