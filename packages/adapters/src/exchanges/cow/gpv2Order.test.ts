import { Address, Hash32, HexBytes, ratioFromPercent } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { encodeAbiParameters, encodePacked, keccak256, parseAbiParameters, stringToHex } from "viem"
import { appDataHash, appDataText, wholeBpsOrNull } from "./appData.ts"
import { cancellationOf, digestOf, orderTypedData, orderUid, type SellOrder, safeMessageOf } from "./gpv2Order.ts"

const OWNER = Address.make("0x133700000000000000000000000000000000c0de")
const ORDER: SellOrder = {
  sellToken: Address.make("0xe91d153e0b41518a2ce8dd3d7944fa863463a97d"),
  buyToken: Address.make("0x9c58bacc331c9aa871afd802db6379a98e80cedb"),
  receiver: OWNER,
  sellAmount: 1_000_000_000_000_000_000n,
  buyAmount: 5_000_000_000_000_000n,
  validTo: 2_000_000_000,
  appData: Hash32.make(`0x${"00".repeat(32)}`),
  partiallyFillable: true
}

/** Domain separators of GPv2Settlement on each chain, from CoW's list of networks. */
const separators = {
  1: "0xc078f884a2676e1345748b1feace7b0abee5d00ecadb6e574dcdd109a63e8943",
  100: "0x8f05589c4b810bc2f706854508d66d447cd971f8354a4bb0b3471ceb0a466bc7",
  8453: "0xd72ffa789b6fae41254d0b5a13e6e1e92ed947ec6a251edf1cf0b6c02c257b4b",
  42161: "0x69d78e7a7cafcaf924483f99f65e8f4e303a99a446db7ab319f9d40e940bced2"
} as const

/** Computes `GPv2Order.hash` field by field. */
const digestByHand = (order: SellOrder, separator: `0x${string}`): string => {
  const word = (text: string) => keccak256(stringToHex(text))
  const struct = keccak256(
    encodeAbiParameters(
      parseAbiParameters(
        "bytes32,address,address,address,uint256,uint256,uint32,bytes32,uint256,bytes32,bool,bytes32,bytes32"
      ),
      [
        // GPv2Order.TYPE_HASH
        "0xd5a25ba2e97094ad7d83dc28a6572da797d6b3e7fc6663bd93efb789fc17e489",
        order.sellToken,
        order.buyToken,
        order.receiver,
        order.sellAmount,
        order.buyAmount,
        order.validTo,
        order.appData,
        0n,
        word("sell"),
        order.partiallyFillable,
        word("erc20"),
        word("erc20")
      ]
    )
  )
  return keccak256(encodePacked(["bytes2", "bytes32", "bytes32"], ["0x1901", separator, struct]))
}

describe("a GPv2 order", () => {
  it("has the digest and the uid of a published order", () => {
    const digest = digestOf(orderTypedData(100, ORDER))
    assert.strictEqual(digest, "0xedf8c0c032be100a793d653d6adc351b287f2f9883d04e160b2e126f27195187")
    assert.strictEqual(orderUid(digest, OWNER, ORDER.validTo), `${digest}${OWNER.slice(2)}77359400`)
  })

  it("has the digest that the settlement computes, on each chain and for each field", () => {
    const orderVariants: ReadonlyArray<Partial<SellOrder>> = [
      {},
      { sellAmount: 2n ** 256n - 1n },
      { partiallyFillable: false },
      { validTo: 2 ** 32 - 1 },
      { appData: Hash32.make(`0x${"ab".repeat(32)}`) }
    ]
    const digests = new Set<string>()
    for (const [chainId, separator] of Object.entries(separators)) {
      for (const fields of orderVariants) {
        const order = { ...ORDER, ...fields }
        const digest = digestOf(orderTypedData(Number(chainId) as 1, order))
        assert.strictEqual(digest, digestByHand(order, separator))
        digests.add(digest)
      }
    }
    assert.strictEqual(digests.size, 20)
  })

  it("is cancelled with the type that the order book expects", () => {
    const { hash, typedData } = cancellationOf(1, HexBytes.make(`0x${"12".repeat(56)}`))
    // Type hash of `OrderCancellations`, from CoW's services.
    const type = "0x4c89efb91ae246f78d2fe68b47db2fa1444a121a4f2dc3fda7a5a408c2e3588e"
    const uids = keccak256(keccak256(`0x${"12".repeat(56)}`))
    const struct = keccak256(encodeAbiParameters(parseAbiParameters("bytes32,bytes32"), [type, uids]))
    assert.strictEqual(
      hash,
      keccak256(encodePacked(["bytes2", "bytes32", "bytes32"], ["0x1901", separators[1], struct]))
    )
    assert.deepStrictEqual(typedData?.message, { orderUids: [`0x${"12".repeat(56)}`] })
  })

  it("is signed for a Safe as a message of that Safe", () => {
    const safe = Address.make(`0x${"5a".repeat(20)}`)
    const digest = Hash32.make(`0x${"cd".repeat(32)}`)
    // Safe 1.4.1: keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), keccak256("SafeMessage(bytes message)").
    const domain = keccak256(
      encodeAbiParameters(parseAbiParameters("bytes32,uint256,address"), [
        "0x47e79534a245952e8b16893a336b85a3d9ea9fa8c573f3d803afb92a79469218",
        8453n,
        safe
      ])
    )
    const struct = keccak256(
      encodeAbiParameters(parseAbiParameters("bytes32,bytes32"), [
        "0x60b3cbf8b4a223d68d641b3b6ddf9a298e7f33710cf3d3a9d1146b5a6150fbca",
        keccak256(digest)
      ])
    )
    assert.strictEqual(
      safeMessageOf(8453, safe, digest).hash,
      keccak256(encodePacked(["bytes2", "bytes32", "bytes32"], ["0x1901", domain, struct]))
    )
  })
})

describe("app data", () => {
  it("are the same text for the same data, with the hash of the text", () => {
    const fees = [{ type: "SERVICE", recipient: OWNER, share: ratioFromPercent(0.25) }] as const
    const text = appDataText(fees, HexBytes.make("0x0102"))
    assert.strictEqual(
      text,
      `{"appCode":"Countersign","environment":"0102","metadata":{"orderClass":{"orderClass":"limit"},"partnerFee":[{"recipient":"${OWNER}","volumeBps":25}]},"version":"1.15.0"}`
    )
    assert.strictEqual(appDataHash(text), keccak256(stringToHex(text)))
    // Hash of empty app data, from CoW's documentation.
    assert.strictEqual(appDataHash("{}"), "0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d")
  })

  it("contain percentages only if they are whole basis points", () => {
    assert.deepStrictEqual(
      [0.01, 0.3, 1, 0.005, 0.333].map((percent) => wholeBpsOrNull(ratioFromPercent(percent))),
      [1n, 30n, 100n, null, null]
    )
  })
})
