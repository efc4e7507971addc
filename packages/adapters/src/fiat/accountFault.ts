import { FiatRefusal } from "@countersign/core/fiat"
import { Result } from "effect"

/** Why a bank destination can't become a bank account at the provider, and which field is the cause. */
export interface AccountFault {
  readonly field: string
  readonly reason: string
}

export const accountFault = (field: string, reason: string): Result.Result<never, AccountFault> =>
  Result.fail({ field, reason })

export const accountRefusal =
  (provider: string) =>
  ({ field, reason }: AccountFault): FiatRefusal =>
    new FiatRefusal({ provider, reason, field: `paymentMethod.${field}` })
