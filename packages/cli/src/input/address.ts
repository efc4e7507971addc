import {
  AddressChecksum,
  AddressText,
  BitcoinAddress,
  BitcoinAddressCheck,
  WalletAddressText
} from "@countersign/core/foundation/primitives"
import { Effect, Result, Schema } from "effect"
import { Argument, CliError, Flag } from "effect/cli"

type Kind = "flag" | "argument"

/** Verifies checksums with viem, which is loaded only when there is an address to verify. */
const checksum = Effect.map(
  Effect.promise(() => import("@countersign/adapters/chains/evm")),
  ({ hasValidChecksum }) => hasValidChecksum
)

/** Checks Bitcoin addresses. The library is loaded only when there is a Bitcoin address to check. */
const bitcoinCheckOf = (value: string) =>
  Schema.is(BitcoinAddress)(value)
    ? Effect.map(
        Effect.promise(() => import("@countersign/adapters/chains/bitcoin")),
        ({ decodeAddress }) => decodeAddress
      )
    : BitcoinAddressCheck

const readerOf = <A>(schema: Schema.Codec<A, string>) => {
  const decode = Schema.decodeUnknownEffect(schema)
  return (option: string, kind: Kind) => (value: string) =>
    Effect.gen(function* () {
      const result = yield* decode(value).pipe(
        Effect.provideServiceEffect(AddressChecksum, checksum),
        Effect.provideServiceEffect(BitcoinAddressCheck, bitcoinCheckOf(value)),
        Effect.result
      )
      return Result.isSuccess(result)
        ? result.success
        : yield* new CliError.InvalidValue({ option, value, expected: result.failure.message, kind })
    })
}

const addressOf = readerOf(AddressText)
const walletAddressOf = readerOf(WalletAddressText)

export const addressFlag = (name: string) => Flag.String(name).pipe(Flag.mapEffect(addressOf(name, "flag")))

/** Builds a flag for a Bitcoin address that can receive payments. The library is loaded only when the flag is used. */
export const bitcoinAddressFlag = (name: string) =>
  Flag.String(name).pipe(
    Flag.mapEffect((value) =>
      Effect.gen(function* () {
        const { CheckedBitcoinAddress } = yield* Effect.promise(() => import("@countersign/adapters/chains/bitcoin"))
        return yield* readerOf(CheckedBitcoinAddress)(name, "flag")(value)
      })
    )
  )

export const addressArgument = (name: string) =>
  Argument.String(name).pipe(Argument.mapEffect(addressOf(name, "argument")))

/** Builds a flag for the address of an EVM or Bitcoin wallet. */
export const walletFlag = (name: string) => Flag.String(name).pipe(Flag.mapEffect(walletAddressOf(name, "flag")))

export const walletArgument = (name: string) =>
  Argument.String(name).pipe(Argument.mapEffect(walletAddressOf(name, "argument")))
