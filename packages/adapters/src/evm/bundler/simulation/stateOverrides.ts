import type { Hash32 } from "@countersign/core/primitives"
import type { AccountChanges, StateChanges } from "@countersign/core/user-operations"
import { type Hex, numberToHex, zeroHash } from "viem"
import { addressFromHex, bytesFromHex } from "../../hex.ts"

/** What a simulation puts in the place of an account's state, as `debug_traceCall` takes it. */
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

/** Both, and where they speak of the same thing what the second says. */
export const mergedOverrides = (first: Overrides, second: Overrides): Overrides =>
  Object.fromEntries(
    [...new Set([...Object.keys(first), ...Object.keys(second)])].map((address) => {
      const stateDiff = { ...first[address]?.stateDiff, ...second[address]?.stateDiff }
      const account = { ...first[address], ...second[address] }
      return [address, Object.keys(stateDiff).length === 0 ? account : { ...account, stateDiff }]
    })
  )

/** An account in the answer of geth's `prestateTracer`. */
interface TracedAccount {
  readonly balance?: Hex
  readonly nonce?: number
  readonly code?: Hex
  readonly storage?: Readonly<Record<Hash32, Hash32>>
}

/** The answer of geth's `prestateTracer` in `diffMode`. */
export interface TracedChanges {
  readonly pre: Readonly<Record<string, TracedAccount>>
  readonly post: Readonly<Record<string, TracedAccount>>
}

/** Slots that are empty afterwards are only in what was before. */
const slotsOf = (before: TracedAccount | undefined, { storage }: TracedAccount): AccountChanges["storage"] => ({
  ...Object.fromEntries(Object.keys(before?.storage ?? {}).map((slot) => [slot, zeroHash])),
  ...storage
})

/** Every account that the run changed. No account of a run is gone afterwards, because none is destroyed (EIP-6780). */
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
