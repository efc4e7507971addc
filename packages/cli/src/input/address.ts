import { Effect, Result, Schema } from "effect"
import { Argument, CliError, Flag } from "effect/cli"

type Kind = "flag" | "argument"

/** A checksum is looked at with viem, which is loaded only where there is an address to look at. */
const addressOf = (option: string, kind: Kind) => (value: string) =>
  Effect.gen(function* () {
    const { AddressText } = yield* Effect.promise(() => import("@countersign/http/wire"))
    const read = Schema.decodeUnknownResult(AddressText)(value)
    return Result.isSuccess(read)
      ? read.success
      : yield* new CliError.InvalidValue({ option, value, expected: read.failure.message, kind })
  })

export const addressFlag = (name: string) => Flag.String(name).pipe(Flag.mapEffect(addressOf(name, "flag")))

export const addressArgument = (name: string) =>
  Argument.String(name).pipe(Argument.mapEffect(addressOf(name, "argument")))
