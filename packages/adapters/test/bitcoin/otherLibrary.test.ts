import { randomBytes, randomInt } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Address, NETWORK, OutScript, SigHash } from "@scure/btc-signer"
import { Result } from "effect"
import { shortOrLong } from "../../../core/test/support/longTests.ts"
import { decodeAddress } from "../../src/chains/bitcoin/readAddress.ts"
import { checkProof } from "../../src/chains/bitcoin/verifyProof.ts"
import { type MessageSigner, messageSigners } from "./messageSigners.ts"

const KEY_COUNT = shortOrLong(10, 500)
const MUTATIONS_OF_KIND = shortOrLong(100, 15_000)

const randomKey = () => new Uint8Array(randomBytes(32))
const randomText = () => randomBytes(randomInt(300)).toString("base64url")

const isProof = ({ address }: MessageSigner, message: string, signature: string) =>
  Result.isSuccess(checkProof({ address, message, signature }))

/** Returns the valid one of the signer's candidate signatures. */
const proofOf = (signer: MessageSigner, message: string): string => {
  const validSignatures = signer.sign(message).filter((signature) => isProof(signer, message, signature))
  assert.lengthOf(validSignatures, 1, `${signer.kind} ${message}`)
  return validSignatures[0]!
}

describe("Another library", () => {
  it(`signs ${KEY_COUNT * 4} messages, and each signature is valid for its address only`, {
    timeout: shortOrLong(300_000, 7_200_000)
  }, () => {
    for (let i = 0; i < KEY_COUNT; i++) {
      const signers = messageSigners(randomKey())
      const message = randomText()
      for (const signer of signers) {
        const proof = proofOf(signer, message)
        for (const otherSigner of signers) {
          // Electrum signs for the nested and the native SegWit address of a key in the same way as for its P2PKH
          // address.
          const isExpected = otherSigner === signer || (signer.kind === "P2PKH" && otherSigner.kind !== "P2TR")
          assert.strictEqual(isProof(otherSigner, message, proof), isExpected, `${signer.kind} ${otherSigner.kind}`)
        }
        assert.isFalse(isProof(signer, `${message} `, proof))
      }
    }
  })

  it("signs in the full format and with the headers of Electrum and Sparrow", () => {
    for (const signer of messageSigners(randomKey())) {
      for (const [formIndex, candidates] of signer.otherForms("m").entries()) {
        const validSignatures = candidates.filter((signature) => isProof(signer, "m", signature))
        assert.lengthOf(validSignatures, 1, `${signer.kind} ${formIndex}`)
        assert.isFalse(isProof(signer, "n", validSignatures[0]!))
        const { publicKey } = Result.getOrThrow(
          checkProof({ address: signer.address, message: "m", signature: validSignatures[0]! })
        )
        assert.strictEqual(publicKey, signer.publicKey)
      }
    }
  })

  it("parses addresses in the same way", () => {
    for (const { address, kind } of messageSigners(randomKey())) {
      const ownScript = Result.getOrThrow(decodeAddress(address))
      const otherScript = OutScript.encode(Address(NETWORK).decode(address))
      assert.include(Buffer.from(otherScript).toString("hex"), Buffer.from(ownScript.program).toString("hex"))
      assert.strictEqual(ownScript.kind, kind)
    }
  })

  it("signs with other hash types, which are not accepted as proofs", () => {
    const [, , segwitSigner, taprootSigner] = messageSigners(randomKey())
    assert.isTrue(isProof(taprootSigner!, "m", taprootSigner!.sign("m", SigHash.ALL)[0]!))
    for (const sighash of [SigHash.NONE, SigHash.SINGLE, SigHash.ALL_ANYONECANPAY, SigHash.NONE_ANYONECANPAY]) {
      for (const signer of [segwitSigner!, taprootSigner!]) {
        assert.isFalse(isProof(signer, "m", signer.sign("m", sighash)[0]!), `${signer.kind} ${sighash}`)
      }
    }
  })
})

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const bigintOf = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString("hex")}`)
const bytes32 = (value: bigint) => Buffer.from(value.toString(16).padStart(64, "0"), "hex")

/** Makes one random change: flips a bit, replaces a byte, or inserts, removes, repeats or swaps bytes. */
const mutate = (bytes: Buffer): Buffer => {
  const index = randomInt(bytes.length)
  const changedBytes = Buffer.from(bytes)
  const cutBytes = (from: number, to: number, between: Uint8Array = Buffer.alloc(0)) =>
    Buffer.concat([bytes.subarray(0, from), between, bytes.subarray(to)])
  switch (randomInt(6)) {
    case 0:
      changedBytes[index]! ^= 1 << randomInt(8)
      return changedBytes
    case 1:
      changedBytes[index] = randomInt(256)
      return changedBytes
    case 2:
      return cutBytes(index, index, randomBytes(1 + randomInt(3)))
    case 3:
      return cutBytes(index, index + 1 + randomInt(3))
    case 4:
      return cutBytes(index, index, bytes.subarray(index, index + 1 + randomInt(40)))
    default: {
      const otherIndex = randomInt(bytes.length)
      changedBytes[index] = bytes[otherIndex]!
      changedBytes[otherIndex] = bytes[index]!
      return changedBytes
    }
  }
}

/** Whether only the header differs, and both headers have the same recovery id. Electrum writes another header. */
const isSameSignature = (bytes: Buffer, proof: Buffer): boolean =>
  bytes.subarray(1).equals(proof.subarray(1)) && (bytes[0]! - proof[0]!) % 4 === 0

describe("A proof that was changed", () => {
  it(`is rejected, ${MUTATIONS_OF_KIND} times for each address type`, {
    timeout: shortOrLong(600_000, 7_200_000)
  }, () => {
    for (const signer of messageSigners(randomKey())) {
      const proof = Buffer.from(proofOf(signer, "m"), "base64")
      let triedCount = 0
      while (triedCount < MUTATIONS_OF_KIND) {
        const bytes = mutate(proof)
        if (bytes.equals(proof) || isSameSignature(bytes, proof)) continue
        triedCount += 1
        assert.isFalse(isProof(signer, "m", bytes.toString("base64")), `${signer.kind} ${bytes.toString("hex")}`)
      }
    }
  })

  it("is rejected with the other S value, which solves the same equation", () => {
    const [legacySigner, nestedSigner, segwitSigner] = messageSigners(randomKey())
    for (const signer of [legacySigner!, nestedSigner!]) {
      const proof = Buffer.from(proofOf(signer, "m"), "base64")
      const highS = bytes32(CURVE_ORDER - bigintOf(proof.subarray(33)))
      const firstHeader = signer.kind === "P2PKH" ? 31 : 35
      for (const id of [0, 1, 2, 3]) {
        const otherSignature = Buffer.concat([Buffer.from([firstHeader + id]), proof.subarray(1, 33), highS])
        assert.isFalse(isProof(signer, "m", otherSignature.toString("base64")))
      }
    }
    const witness = Buffer.from(proofOf(segwitSigner!, "m"), "base64")
    const der = witness.subarray(2, 2 + witness[1]!)
    const s = der.subarray(6 + der[3]!, -1)
    const derBody = Buffer.concat([
      der.subarray(2, 4 + der[3]!),
      Buffer.from([2, 33, 0]),
      bytes32(CURVE_ORDER - bigintOf(s))
    ])
    const signature = Buffer.concat([Buffer.from([0x30, derBody.length]), derBody, Buffer.from([1])])
    const key = witness.subarray(2 + witness[1]!)
    const otherProof = Buffer.concat([Buffer.from([2, signature.length]), signature, key])
    assert.isFalse(isProof(segwitSigner!, "m", otherProof.toString("base64")))
  })

  it("is rejected in another base64 encoding", () => {
    for (const signer of messageSigners(randomKey())) {
      const proof = proofOf(signer, "m")
      for (const text of [`${proof}\n`, ` ${proof}`, `${proof}=`, proof.replace("=", ""), `${proof}AAAA`]) {
        if (text !== proof) assert.isFalse(isProof(signer, "m", text), text)
      }
    }
  })
})
