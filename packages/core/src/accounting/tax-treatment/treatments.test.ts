import { assert, describe, it } from "@effect/vitest"
import { anAddress } from "../../foundation/primitives/ids.fixture.ts"
import type { Asset } from "../../foundation/tokens/index.ts"
import type { Movement } from "../history/index.ts"
import { aMovement } from "../history/Transaction.fixture.ts"
import {
  fullPartOf,
  netMovements,
  type TaxEntry,
  type TaxTreatment,
  treatAsExchange,
  treatAsTransfers
} from "./index.ts"

const [token, otherToken, bridgedToken] = [1, 1, 8453].map(
  (chainId): Asset => ({ chainId: chainId as 1, token: anAddress() })
)

const movementOf = (
  direction: Movement["direction"],
  asset: Asset | undefined,
  amount: bigint,
  fields: Partial<Movement> = {}
) => aMovement({ direction, asset: asset!, amount, ...fields })

const legTexts = (entries: ReadonlyArray<TaxEntry>) =>
  entries.map(({ legs }) => legs.map(({ amount, kind, movement: { direction } }) => `${kind} ${direction} ${amount}`))

const applyTreatment = (treatment: TaxTreatment, movements: ReadonlyArray<Movement>, own: string | null = null) =>
  legTexts(
    treatment({
      transaction: { id: "one", type: "SWAP", details: {} },
      movements,
      isOwn: (address) => address !== null && address === own
    })
  )

describe("netMovements", () => {
  it("splits movements so that each asset has one direction, and no amount is lost", () => {
    const movements = [
      movementOf("IN", token, 5n),
      movementOf("OUT", token, 3n),
      movementOf("IN", token, 4n),
      movementOf("OUT", otherToken, 2n)
    ]
    const { passThrough, rest } = netMovements(movements.map(fullPartOf))
    assert.deepStrictEqual(
      passThrough.map(({ amount, movement }) => [movements.indexOf(movement), amount]),
      [
        [0, 3n],
        [1, 3n]
      ]
    )
    assert.deepStrictEqual(
      rest.map(({ amount, movement }) => [movements.indexOf(movement), amount]),
      [
        [0, 2n],
        [2, 4n],
        [3, 2n]
      ]
    )
  })
})

describe("an exchange", () => {
  it("contains the sold, bought and fee amounts, without the token between a swap and a bridge", () => {
    const movements = [
      movementOf("OUT", token, 150n),
      movementOf("IN", otherToken, 149n),
      movementOf("OUT", otherToken, 149n),
      movementOf("OUT", token, 2n, { role: "FEE" }),
      movementOf("IN", bridgedToken, 148n, { leg: 1 }),
      movementOf("OUT", otherToken, 1n, { role: "GAS" })
    ]
    assert.deepStrictEqual(applyTreatment(treatAsExchange, movements), [
      [
        "PASS_THROUGH IN 149",
        "PASS_THROUGH OUT 149",
        "DISPOSAL OUT 150",
        "ACQUISITION IN 148",
        "FEE OUT 2",
        "FEE OUT 1"
      ]
    ])
  })

  it("disposes of nothing if everything was returned, and acquires nothing if another wallet paid", () => {
    assert.deepStrictEqual(
      applyTreatment(treatAsExchange, [movementOf("OUT", token, 7n), movementOf("IN", token, 7n, { leg: 1 })]),
      [["PASS_THROUGH OUT 7", "PASS_THROUGH IN 7"]]
    )
    assert.deepStrictEqual(applyTreatment(treatAsExchange, [movementOf("IN", token, 7n)]), [["EXTERNAL_TRANSFER IN 7"]])
    assert.deepStrictEqual(applyTreatment(treatAsExchange, [movementOf("OUT", token, 7n)]), [["DISPOSAL OUT 7"]])
    assert.deepStrictEqual(applyTreatment(treatAsExchange, [movementOf("OUT", token, 7n, { role: "GAS" })]), [
      ["FEE OUT 7"]
    ])
    assert.deepStrictEqual(applyTreatment(treatAsExchange, []), [])
  })
})

describe("transfers", () => {
  it("are separate entries, to own wallets or other parties, and the first entry contains the gas", () => {
    const ownAddress = anAddress()
    const movements = [
      movementOf("OUT", token, 1n, { counterparty: anAddress() }),
      movementOf("OUT", token, 2n, { counterparty: ownAddress }),
      movementOf("OUT", token, 3n, { role: "GAS", counterparty: ownAddress })
    ]
    assert.deepStrictEqual(applyTreatment(treatAsTransfers, movements, ownAddress), [
      ["EXTERNAL_TRANSFER OUT 1", "FEE OUT 3"],
      ["OWN_TRANSFER OUT 2"]
    ])
  })
})
