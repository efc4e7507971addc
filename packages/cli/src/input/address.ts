import { AddressChecksum, AddressText, WalletAddressText } from "@countersign/core/primitives"
import { Effect, Result, Schema } from "effect"
import { Argument, CliError, Flag } from "effect/cli"

type Kind = "flag" | "argument"

/** A checksum is looked at with viem, which is loaded only where there is an address to look at. */
const checksum = Effect.map(
  Effect.promise(() => import("@countersign/adapters/evm")),
  ({ hasValidChecksum }) => hasValidChecksum
)

const readerOf = <A>(schema: Schema.Codec<A, string>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (option: string, kind: Kind) => (value: string) =>
    Effect.gen(function* () {
      const result = yield* decode(value).pipe(Effect.provideServiceEffect(AddressChecksum, checksum), Effect.result)
      return Result.isSuccess(result)
        ? result.success
        : yield* new CliError.InvalidValue({ option, value, expected: result.failure.message, kind })
    })
}

const addressOf = readerOf(AddressText)
const walletAddressOf = readerOf(WalletAddressText)

export const addressFlag = (name: string) => Flag.String(name).pipe(Flag.mapEffect(addressOf(name, "flag")))

export const addressArgument = (name: string) =>
  Argument.String(name).pipe(Argument.mapEffect(addressOf(name, "argument")))

/** The address of a wallet of any kind. */
export const walletFlag = (name: string) => Flag.String(name).pipe(Flag.mapEffect(walletAddressOf(name, "flag")))

export const walletArgument = (name: string) =>
  Argument.String(name).pipe(Argument.mapEffect(walletAddressOf(name, "argument")))
