import { Address, Hash32, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { encodeAbiParameters, encodeEventTopics, type Hex, pad, parseAbi, parseAbiParameters, zeroAddress } from "viem"
import { JsonRpcError, type RpcClients, TRANSFER } from "../../chains/evm/index.ts"
import { deliveryIn } from "./delivery.ts"
import { outboundMemo } from "./memo.ts"

/**
 * Tests the verification of a swap's delivery. A THORNode may report any transaction, so the service verifies it
 * on-chain.
 */

const DEPOSIT = `0x${"5d".repeat(32)}`
const OTHER_DEPOSIT = `0x${"5e".repeat(32)}`
const HASH = Hash32.make(`0x${"aa".repeat(32)}`)
const TOKEN = Address.make(`0x${"11".repeat(20)}`)
const OTHER_TOKEN = Address.make(`0x${"12".repeat(20)}`)
const RECEIVER = Address.make(`0x${"21".repeat(20)}`)
const SOMEBODY = Address.make(`0x${"22".repeat(20)}`)
const ROUTER = Address.make(`0x${"32".repeat(20)}`)
const PAYER = Address.make(`0x${"31".repeat(20)}`)

const hexOf = (text: string): Hex => `0x${Buffer.from(text).toString("hex")}`

interface TestDelivery {
  readonly status?: "reverted"
  readonly memo?: string
  readonly inLog?: true
  readonly token?: Address
  readonly to?: Address
  readonly value?: bigint
  /** Increase of the receiver's native balance. */
  readonly gained?: bigint
  /** Amount, receiver and emitting contract of the router's event. */
  readonly sent?: { readonly amount: bigint; readonly to?: Address; readonly by?: Address; readonly memo?: string }
  /** Code at the receiver's address. */
  readonly code?: Hex
  /** Native amounts that calls of the transaction send to the receiver; undefined if no node traces it. */
  readonly traced?: ReadonlyArray<bigint>
}

const routerLog = ({
  amount,
  by = ROUTER,
  memo = outboundMemo(DEPOSIT),
  to = RECEIVER
}: NonNullable<TestDelivery["sent"]>) => ({
  address: by,
  topics: encodeEventTopics({
    abi: parseAbi([
      "event TransferOut(address indexed vault, address indexed to, address asset, uint256 amount, string memo)"
    ]),
    args: { vault: PAYER as Hex, to: to as Hex }
  }),
  data: encodeAbiParameters(parseAbiParameters("address, uint256, string"), [zeroAddress, amount, memo]),
  logIndex: 5
})

const rpcOf = ({
  code = "0x",
  gained = 0n,
  inLog,
  memo = outboundMemo(DEPOSIT),
  sent,
  status,
  to = RECEIVER,
  token,
  traced,
  value = 0n
}: TestDelivery) =>
  ({
    client: () => ({
      getTransactionReceipt: ({ hash }: { readonly hash: string }) =>
        hash === HASH
          ? Promise.resolve({
              status: status ?? "success",
              blockNumber: 7n,
              blockHash: `0x${"bb".repeat(32)}`,
              logs: [
                ...(token === undefined
                  ? []
                  : [
                      {
                        address: token,
                        topics: [TRANSFER, pad(PAYER), pad(to)],
                        data: encodeAbiParameters([{ type: "uint256" }], [500n])
                      }
                    ]),
                ...(sent === undefined ? [] : [routerLog(sent)]),
                ...(inLog === true ? [{ address: PAYER, topics: [], data: hexOf(memo) }] : [])
              ]
            })
          : Promise.reject(new Error("not found")),
      getTransaction: () =>
        Promise.resolve({ input: inLog === true ? "0x" : hexOf(memo), from: PAYER, to: ROUTER, value }),
      getBlock: () => Promise.resolve({ timestamp: 1_000n })
    }),
    witnesses: () => ({ nodes: [], required: 0 }),
    request: (_chainId: number, method: string, [, blockTag]: readonly [string, string]) => {
      if (method === "eth_getCode") return Promise.resolve(code)
      if (method !== "debug_traceTransaction") {
        return Promise.resolve(blockTag === "0x7" ? `0x${(100n + gained).toString(16)}` : "0x64")
      }
      if (traced === undefined) return Promise.reject(new JsonRpcError(-32601, "the method does not exist", undefined))
      const frame = { type: "CALL", from: PAYER, to: ROUTER, gasUsed: "0x1", input: "0x" }
      const call = (amount: bigint) => ({ ...frame, from: ROUTER, to, value: `0x${amount.toString(16)}` })
      return Promise.resolve({ ...frame, calls: traced.map(call) })
    }
  }) as unknown as RpcClients["Service"]

const query = { chainId: 1, hash: HASH, token: TOKEN, account: RECEIVER, memo: outboundMemo(DEPOSIT) } as const

const deliveryOf = (landed: TestDelivery, changes: object = {}) => deliveryIn(rpcOf(landed), { ...query, ...changes })

describe("a delivery", () => {
  it.effect("is a transfer to the receiver with the deposit's memo in its calldata or in a log", () =>
    Effect.gen(function* () {
      for (const testDelivery of [{ token: TOKEN }, { token: TOKEN, inLog: true }] as const) {
        const delivery = yield* deliveryOf(testDelivery)
        assert.deepInclude(delivery, { amount: 500n, payer: PAYER, timestamp: 1_000 })
      }
    })
  )

  it.effect("of native tokens is the amount that the transaction's calls sent to the receiver", () =>
    Effect.gen(function* () {
      const delivery = yield* deliveryOf({ value: 50n, gained: 80n, traced: [30n, 15n] }, { token: NATIVE_TOKEN })
      assert.deepInclude(delivery, { amount: 45n, hash: HASH })
      assert.deepStrictEqual(
        delivery?.transfers.map(({ amount, index }) => [index, amount]),
        [
          [-1, 30n],
          [-2, 15n]
        ]
      )
    })
  )

  it.effect(
    "of native tokens is the increase of the balance, at most the sent amount, if no node traces the transaction",
    () =>
      Effect.gen(function* () {
        const nativeToken = { token: NATIVE_TOKEN }
        assert.strictEqual((yield* deliveryOf({ value: 50n, gained: 50n }, nativeToken))?.amount, 50n)
        assert.strictEqual((yield* deliveryOf({ value: 50n, gained: 80n }, nativeToken))?.amount, 50n)
        assert.strictEqual((yield* deliveryOf({ value: 50n, gained: 20n }, nativeToken))?.amount, 20n)
        assert.isNull(yield* deliveryOf({ value: 50n, gained: 0n }, nativeToken))
      })
  )

  it.effect("of native tokens is the amount in the router's event if no node traces the transaction", () =>
    Effect.gen(function* () {
      const nativeToken = { token: NATIVE_TOKEN }
      const amountOf = (landed: TestDelivery) =>
        Effect.map(deliveryOf({ value: 50n, ...landed }, nativeToken), (one) => one?.amount ?? null)
      // The receiver has spent some or all of the delivered amount in the same block.
      const spent = yield* deliveryOf({ value: 50n, gained: 20n, sent: { amount: 49n } }, nativeToken)
      assert.deepInclude(spent, { amount: 49n, hash: HASH })
      assert.deepStrictEqual(spent?.transfers, [{ index: 0, amount: 49n }])
      assert.strictEqual(yield* amountOf({ gained: 0n, sent: { amount: 50n } }), 50n)
      // Events of other contracts prove nothing. Events for a receiver with code prove nothing either, because the
      // receiver may have rejected the tokens.
      for (const sentDelivery of [
        { amount: 51n },
        { amount: 49n, by: PAYER },
        { amount: 49n, to: SOMEBODY },
        { amount: 49n, memo: outboundMemo(OTHER_DEPOSIT) }
      ]) {
        assert.strictEqual(yield* amountOf({ gained: 20n, sent: sentDelivery }), 20n)
      }
      assert.strictEqual(yield* amountOf({ gained: 20n, sent: { amount: 49n }, code: "0x60" }), 20n)
    })
  )

  it.effect.each([
    ["for another deposit", { token: TOKEN, memo: outboundMemo(OTHER_DEPOSIT) }, {}],
    ["without a memo", { token: TOKEN, memo: "" }, {}],
    ["to another receiver", { token: TOKEN, to: SOMEBODY }, {}],
    ["of another token", { token: OTHER_TOKEN }, {}],
    ["of nothing", {}, {}],
    ["that reverted", { token: TOKEN, status: "reverted" }, {}],
    ["that the chain does not have", { token: TOKEN }, { hash: Hash32.make(`0x${"ab".repeat(32)}`) }]
  ] as const)("is not found %s", ([, landed, changes]) =>
    Effect.map(deliveryOf(landed as TestDelivery, changes), (delivery) => assert.isNull(delivery))
  )
})
