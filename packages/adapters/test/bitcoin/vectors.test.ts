import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as secp256k1 from "@bitcoinerlab/secp256k1"
import type { BitcoinAddressRefusal } from "@countersign/core/bitcoin/chain"
import { BitcoinAddress } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { Transaction } from "bitcoinjs-lib"
import { Result } from "effect"
import { messageTransactions, taggedMessageHash } from "../../src/chains/bitcoin/messageHash.ts"
import { decodeAddress } from "../../src/chains/bitcoin/readAddress.ts"
import { checkProof } from "../../src/chains/bitcoin/verifyProof.ts"

const readVectors = (name: string) => readFileSync(join(import.meta.dirname, "vectors", name), "utf8")
const bytesOf = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"))
const hexOf = (data: Uint8Array) => Buffer.from(data).toString("hex")

interface SignedVector {
  readonly message: string
  readonly address: string
  readonly type: string
  readonly bip322_signatures: ReadonlyArray<string>
}

interface Bip322Vectors {
  readonly simple: ReadonlyArray<SignedVector>
  readonly full?: ReadonlyArray<SignedVector>
  readonly proof_of_funds?: ReadonlyArray<SignedVector>
  readonly error: ReadonlyArray<{ readonly address: string; readonly message: string; readonly signature: string }>
  readonly tx_hashes?: ReadonlyArray<
    Record<"message" | "address" | "message_hash" | "to_spend_tx_hash" | "to_sign_tx_hash", string>
  >
}

const bip322Vectors = ["bip322-basic.json", "bip322-generated.json"].map(
  (name): Bip322Vectors => JSON.parse(readVectors(name))
)

const refusalOf = (address: string, message: string, signature: string) =>
  Result.match(checkProof({ address: BitcoinAddress.make(address), message, signature }), {
    onSuccess: () => null,
    onFailure: (reason) => reason
  })

const scriptOf = (address: string) => {
  const { kind, program } = Result.getOrThrow(decodeAddress(address))
  return Uint8Array.from([kind === "P2TR" ? 0x51 : 0, program.length, ...program])
}

/** Address types that a single key can spend from. */
const KEY_TYPES = ["p2pkh", "p2sh-p2wpkh", "p2wpkh", "p2tr"]

describe("BIP-322", () => {
  it("defines hashes and transactions that match the published ones", () => {
    const allHashes = bip322Vectors.flatMap(({ tx_hashes }) => tx_hashes ?? [])
    assert.lengthOf(allHashes, 3)
    for (const vector of allHashes) {
      const { toSign, toSpend } = messageTransactions(vector.message, scriptOf(vector.address))
      assert.strictEqual(hexOf(taggedMessageHash(vector.message)), vector.message_hash)
      assert.strictEqual(toSpend.getId(), vector.to_spend_tx_hash)
      assert.strictEqual(toSign.getId(), vector.to_sign_tx_hash)
    }
  })

  it("has published signatures, each with the expected verdict", () => {
    const verdicts = { accepted: 0, refused: 0 }
    const expectVerdict = (
      isAccepted: boolean,
      { address, message }: Pick<SignedVector, "address" | "message">,
      signature: string
    ) => {
      assert.strictEqual(refusalOf(address, message, signature) === null, isAccepted, signature)
      verdicts[isAccepted ? "accepted" : "refused"] += 1
    }
    for (const { error, full = [], proof_of_funds = [], simple } of bip322Vectors) {
      // Signatures for other scripts are valid under the BIP. The service rejects them, because it makes no payments
      // from such addresses.
      for (const vector of [...simple, ...full])
        for (const signature of vector.bip322_signatures)
          expectVerdict(KEY_TYPES.includes(vector.type), vector, signature)
      for (const vector of proof_of_funds)
        for (const signature of vector.bip322_signatures) expectVerdict(false, vector, signature)
      for (const vector of error) expectVerdict(false, vector, vector.signature)
    }
    assert.deepStrictEqual(verdicts, { accepted: 11, refused: 48 })
  })
})

/** Test vectors of Trezor's firmware, for keys of the seed "all all … all". */
const LEGACY_MESSAGE = "This is an example of a signed message."
const LEGACY_SIGNATURES = [
  [
    "1JAd7XCBzGudGpJQSDSfpmJhiygtLQWaGL",
    "20fd8f2f7db5238fcdd077d5204c3e6949c261d700269cefc1d9d2dcef6b95023630ee617f6c8acf9eb40c8edd704c9ca74ea4afc393f43f35b4e8958324cbdd1c"
  ],
  [
    "3L6TyTisPBmrDAj6RoKmDzNnj4eQi54gD2",
    "23744de4516fac5c140808015664516a32fead94de89775cec7e24dbc24fe133075ac09301c4cc8e197bea4b6481661d5b8e9bf19d8b7b8a382ecdb53c2ee0750d"
  ]
] as const

describe("BIP-137", () => {
  it.each(LEGACY_SIGNATURES)("is the format of the legacy signature of %s, which is accepted", (address, signature) => {
    assert.isNull(refusalOf(address, LEGACY_MESSAGE, Buffer.from(signature, "hex").toString("base64")))
    assert.isString(refusalOf(address, `${LEGACY_MESSAGE}.`, Buffer.from(signature, "hex").toString("base64")))
  })
})

describe("BIP-340", () => {
  const rows = readVectors("bip340.csv").trim().split(/\r?\n/u).slice(1)

  it("has published signatures, each with the expected result", () => {
    assert.lengthOf(rows, 19)
    for (const row of rows) {
      const [index, , key = "", , message = "", signature = "", result] = row.split(",")
      // Bitcoin signs 32-byte hashes, so vectors with messages of other lengths do not apply.
      if (message.length !== 64) continue
      const isVerified = Result.getOrElse(
        Result.try(() => secp256k1.verifySchnorr(bytesOf(message), bytesOf(key), bytesOf(signature))),
        () => false
      )
      assert.strictEqual(isVerified, result === "TRUE", `vector ${index}`)
    }
  })
})

interface Bip341Vectors {
  readonly scriptPubKey: ReadonlyArray<{
    readonly expected: { readonly scriptPubKey: string; readonly bip350Address: string }
  }>
  readonly keyPathSpending: ReadonlyArray<{
    readonly given: {
      readonly rawUnsignedTx: string
      readonly utxosSpent: ReadonlyArray<{ readonly scriptPubKey: string; readonly amountSats: number }>
    }
    readonly inputSpending: ReadonlyArray<{
      readonly given: { readonly txinIndex: number; readonly hashType: number }
      readonly intermediary: { readonly sigHash: string }
      readonly expected: { readonly witness: ReadonlyArray<string> }
    }>
  }>
}

describe("BIP-341", () => {
  const vectors: Bip341Vectors = JSON.parse(readVectors("bip341.json"))

  it("has published addresses, which are parsed", () => {
    assert.lengthOf(vectors.scriptPubKey, 7)
    for (const { expected } of vectors.scriptPubKey) {
      assert.strictEqual(hexOf(scriptOf(expected.bip350Address)), expected.scriptPubKey)
    }
  })

  it("has published signature hashes, which match, and witnesses, which verify", () => {
    let verifiedCount = 0
    for (const { given, inputSpending } of vectors.keyPathSpending) {
      const transaction = Transaction.fromHex(given.rawUnsignedTx)
      const scripts = given.utxosSpent.map(({ scriptPubKey }) => bytesOf(scriptPubKey))
      const amounts = given.utxosSpent.map(({ amountSats }) => BigInt(amountSats))
      for (const { expected, given: input, intermediary } of inputSpending) {
        const hash = transaction.hashForWitnessV1(input.txinIndex, scripts, amounts, input.hashType)
        assert.strictEqual(hexOf(hash), intermediary.sigHash)
        const signature = bytesOf(expected.witness[0]!).subarray(0, 64)
        assert.isTrue(secp256k1.verifySchnorr(hash, scripts[input.txinIndex]!.subarray(2), signature))
        verifiedCount += 1
      }
    }
    assert.strictEqual(verifiedCount, 7)
  })
})

/** The valid and invalid addresses of BIP-173 and BIP-350, each with its expected type or error. */
const witnessAddresses: ReadonlyArray<readonly [string, "P2WPKH" | "P2WSH" | "P2TR" | BitcoinAddressRefusal["code"]]> =
  [
    ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "P2WPKH"],
    ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", "P2TR"],
    ["BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "not_bitcoin"],
    ["tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7", "other_network"],
    ["tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy", "other_network"],
    ["tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c", "other_network"],
    ["bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y", "wrong_length"],
    ["bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7k7grplx", "wrong_checksum"],
    ["bc1sw50qgdz25j", "unknown_witness_version"],
    ["bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs", "unknown_witness_version"],
    ["tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty", "not_bitcoin"],
    ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", "wrong_checksum"],
    ["bc13w508d6qejxtdg4y5r3zarvary0c5xw7kn40wf2", "wrong_checksum"],
    ["bc1rw5uspcuh", "wrong_checksum"],
    ["bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90", "wrong_checksum"],
    ["bc1qr508d6qejxtdg4y5r3zarvaryv98gj9p", "wrong_length"],
    ["tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7", "not_bitcoin"],
    ["bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du", "wrong_checksum"],
    ["tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv", "wrong_checksum"],
    ["bc1gmk9yu", "wrong_checksum"],
    ["tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut", "not_bitcoin"],
    ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", "wrong_checksum"],
    ["tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf", "wrong_checksum"],
    ["bc1s0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq54well", "wrong_checksum"],
    ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh", "wrong_checksum"],
    ["tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47", "wrong_checksum"],
    ["bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4", "not_bitcoin"],
    ["bc130xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq7zws8r", "unknown_witness_version"],
    ["bc1pw5dgrnzv", "wrong_length"],
    ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav", "wrong_length"],
    ["tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq", "not_bitcoin"],
    ["bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf", "wrong_checksum"],
    ["tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j", "wrong_checksum"]
  ]

describe("BIP-173 and BIP-350", () => {
  it.each(witnessAddresses)("%s: %s", (address, expectedResult) => {
    const decodeResult = decodeAddress(address)
    assert.strictEqual(
      Result.isSuccess(decodeResult) ? decodeResult.success.kind : decodeResult.failure.code,
      expectedResult
    )
  })
})
