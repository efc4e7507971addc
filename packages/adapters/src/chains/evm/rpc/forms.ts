import type { Hex } from "viem"

/** Validates the format of a value in a node's response. */
export type Form<A> = (value: unknown) => value is A

const textOf =
  (pattern: RegExp): Form<Hex> =>
  (value): value is Hex =>
    typeof value === "string" && pattern.test(value)

/** An integer of up to 256 bits. */
export const quantity = textOf(/^0x[0-9a-f]{1,64}$/i)
/** An integer below 2^52, which is exact as a number: block numbers, nonces, indexes, gas. */
export const count = textOf(/^0x0*[0-9a-f]{1,13}$/i)
/** Unix seconds below 2^40, so that a later deadline fits into the 48 bits with which contracts store it. */
export const seconds = textOf(/^0x0*[0-9a-f]{1,10}$/i)
/** A gas price below 2^64 wei, which is 18 native tokens per unit of gas. */
export const gasPrice = textOf(/^0x0*[0-9a-f]{1,16}$/i)
export const address = textOf(/^0x[0-9a-f]{40}$/i)
export const hash = textOf(/^0x[0-9a-f]{64}$/i)

const HEXADECIMAL = /^0x[0-9a-f]*$/i
export const data: Form<Hex> = (value): value is Hex =>
  typeof value === "string" && value.length % 2 === 0 && HEXADECIMAL.test(value)

export const text: Form<string> = (value) => typeof value === "string"
export const anyValue: Form<unknown> = (value): value is unknown => value !== undefined

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Accepts an object with these fields, and possibly others. */
export const objectOf = <A>(fields: { readonly [K in keyof Required<A>]: Form<A[K]> }): Form<A> => {
  const entries = Object.entries<Form<unknown>>(fields)
  return (value): value is A => isObject(value) && entries.every(([name, isValid]) => isValid(value[name]))
}

export const recordOf =
  <A>(isValid: Form<A>): Form<Readonly<Record<string, A>>> =>
  (value): value is Readonly<Record<string, A>> =>
    isObject(value) && Object.values(value).every(isValid)

export const listOf =
  <A>(isValid: Form<A>): Form<ReadonlyArray<A>> =>
  (value): value is ReadonlyArray<A> =>
    Array.isArray(value) && value.every(isValid)

export const orNull =
  <A>(isValid: Form<A>): Form<A | null> =>
  (value): value is A | null =>
    value === null || isValid(value)

export const orMissing =
  <A>(isValid: Form<A>): Form<A | undefined> =>
  (value): value is A | undefined =>
    value === undefined || isValid(value)
