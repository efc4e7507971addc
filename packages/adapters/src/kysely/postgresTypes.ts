import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

/** The JavaScript type that SQLite gives for integers too: a number, and a bigint past 2^53. */
const int8: PgTypes.Codec<number | bigint> = {
  encode: (value) => {
    const bytes = new Uint8Array(8)
    new DataView(bytes.buffer).setBigInt64(0, BigInt(value))
    return Result.succeed(bytes)
  },
  decode: (bytes) => {
    const value = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getBigInt64(0)
    return Result.succeed(Number.isSafeInteger(Number(value)) ? Number(value) : value)
  }
}

export const postgresTypes: PgTypes.Registry = PgTypes.makeRegistry()
postgresTypes.register(PgTypes.OID.int8, int8)
