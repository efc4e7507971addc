import type { AccountChanges, StateChanges } from "@countersign/core/operations/user-operations"
import { type Hex, numberToHex, zeroHash } from "viem"
import { addressFromHex, bytesFromHex, hash32FromHex } from "../../hex.ts"
import type { TracedAccount, TracedChanges } from "../../rpc/nodeResponses.ts"

/** The state overrides of an account, in the format of `debug_traceCall`. */
export interface AccountOverrides {
  readonly balance?: Hex
  readonly nonce?: Hex
  readonly code?: Hex
  readonly stateDiff?: Readonly<Record<string, string>>
}

type Overrides = Readonly<Record<string, AccountOverrides>>

const accountOverrides = ({ balance, code, nonce, storage }: AccountChanges): AccountOverrides => ({
  ...(balance === undefined ? {} : { balance: numberToHex(balance) }),
  ...(nonce === undefined ? {} : { nonce: numberToHex(nonce) }),
  ...(code === undefined ? {} : { code }),
  stateDiff: storage
})

export const overridesOf = (changes: StateChanges): Overrides =>
  Object.fromEntries(Object.entries(changes).map(([address, account]) => [address, accountOverrides(account)]))

/** Merges two sets of overrides. The second one has precedence. */
export const mergeOverrides = (first: Overrides, second: Overrides): Overrides =>
  Object.fromEntries(
    [...new Set([...Object.keys(first), ...Object.keys(second)])].map((address) => {
      const stateDiff = { ...first[address]?.stateDiff, ...second[address]?.stateDiff }
      const account = { ...first[address], ...second[address] }
      return [address, Object.keys(stateDiff).length === 0 ? account : { ...account, stateDiff }]
    })
  )

const EMPTY = hash32FromHex(zeroHash)

/** Returns the changed slots. The tracer lists a slot that becomes empty only in the previous state. */
const slotsOf = (before: TracedAccount | undefined, { storage = {} }: TracedAccount): AccountChanges["storage"] => ({
  ...Object.fromEntries(Object.keys(before?.storage ?? {}).map((slot) => [hash32FromHex(slot), EMPTY])),
  ...Object.fromEntries(Object.entries(storage).map(([slot, value]) => [hash32FromHex(slot), hash32FromHex(value)]))
})

/**
 * Returns the changes of all accounts. No account is deleted, because a transaction can't destroy an existing account
 * (EIP-6780).
 */
export const changesIn = ({ post, pre }: TracedChanges): StateChanges =>
  Object.fromEntries(
    Object.entries(post).map(([text, after]) => {
      const { balance, code, nonce } = after
      const changes: AccountChanges = {
        ...(balance === undefined ? {} : { balance: BigInt(balance) }),
        ...(nonce === undefined ? {} : { nonce: BigInt(nonce) }),
        ...(code === undefined ? {} : { code: bytesFromHex(code) }),
        storage: slotsOf(pre[text], after)
      }
      return [addressFromHex(text), changes]
    })
  )
