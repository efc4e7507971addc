import { assert, describe, it } from "@effect/vitest"
import { decodeChanged } from "./codec.ts"

interface Row {
  readonly id: string
  readonly name: string
  readonly revoked_at: number | null
}

const makeFixture = () => {
  const decodedRows: Array<Row> = []
  const decode = decodeChanged(
    (row: Row) => {
      decodedRows.push(row)
      return { name: row.name, isRevoked: row.revoked_at !== null }
    },
    ({ id }) => id
  )
  return { decode, decoded: decodedRows }
}

const row = (fields: Partial<Row> = {}): Row => ({ id: "a", name: "one", revoked_at: null, ...fields })

describe("decodeChanged", () => {
  it("decodes an equal row once", () => {
    const { decode, decoded } = makeFixture()
    const first = decode(row())
    assert.strictEqual(decode(row()), first)
    assert.lengthOf(decoded, 1)
  })

  it("decodes a row again if one of its columns has changed, even back to an earlier value", () => {
    const { decode } = makeFixture()
    const versions = [row(), row({ revoked_at: 7 }), row({ name: "two" }), row()]
    assert.deepStrictEqual(versions.map(decode), [
      { name: "one", isRevoked: false },
      { name: "one", isRevoked: true },
      { name: "two", isRevoked: false },
      { name: "one", isRevoked: false }
    ])
  })

  it("caches rows with different keys separately", () => {
    const { decode, decoded } = makeFixture()
    for (let i = 0; i < 3; i++) for (const id of ["a", "b"]) assert.strictEqual(decode(row({ id, name: id })).name, id)
    assert.lengthOf(decoded, 2)
  })

  it("does not cache a row that can't be decoded", () => {
    let isBroken = true
    const decode = decodeChanged(
      ({ name }: Row) => {
        if (isBroken) throw new Error("broken")
        return name
      },
      ({ id }) => id
    )
    assert.throws(() => decode(row()), "broken")
    isBroken = false
    assert.strictEqual(decode(row()), "one")
  })
})
