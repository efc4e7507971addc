import { chainOf } from "../../../foundation/chains/index.ts"
import { type Address, decimalFromBaseUnits } from "../../../foundation/primitives/index.ts"
import { type Token, tokenKey } from "../../../foundation/tokens/index.ts"
import type { OperationContext, OperationGas } from "../../user-operations/index.ts"

/** A token amount that a plan spends from the wallet, without gas. */
export interface SpentAmount {
  readonly token: Token
  /** Base units. */
  readonly amount: bigint
}

/** A token whose balance is lower than the amount that an operation may spend. */
export interface MissingBalance {
  readonly wallet: Address
  readonly token: Token
  /** Base units. */
  readonly balance: bigint
  readonly value: bigint
  readonly gas: bigint
  readonly missing: bigint
}

/** Returns the tokens whose balance is lower than the operation's amount plus its maximum gas cost. */
export const missingBalances = (
  { account, payGasFeeToken, state }: OperationContext,
  gas: OperationGas,
  spends: ReadonlyArray<SpentAmount>
): ReadonlyArray<MissingBalance> => {
  const tokens = new Map([...spends.map(({ token }) => token), payGasFeeToken].map((token) => [tokenKey(token), token]))
  return [...tokens].flatMap(([key, token]) => {
    const balance = state.balances.get(key)
    const value = spends.reduce((sum, spend) => (tokenKey(spend.token) === key ? sum + spend.amount : sum), 0n)
    const gasFee = token.address === payGasFeeToken.address ? gas.maxToken : 0n
    const missingUnits = value + gasFee - (balance ?? 0n)
    return balance === undefined || missingUnits <= 0n
      ? []
      : [{ wallet: account.address, token, balance, value, gas: gasFee, missing: missingUnits }]
  })
}

/** Describes a missing balance in a sentence. */
export const missingBalanceSentence = ({ balance, gas, missing, token, value }: MissingBalance): string => {
  const text = (units: bigint) => `${decimalFromBaseUnits(units, token.decimals)} ${token.symbol}`
  const parts = [...(value > 0n ? [`${text(value)} to send`] : []), ...(gas > 0n ? [`up to ${text(gas)} for gas`] : [])]
  return `${text(missing)} are missing: the wallet has ${text(balance)} on ${chainOf(token.chainId).name}, and the operation needs ${parts.join(" and ")}.`
}
