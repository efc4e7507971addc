import { createHash } from "node:crypto"
import * as secp256k1 from "@bitcoinerlab/secp256k1"
import {
  BitcoinTransactions,
  type ExpectedTransaction,
  type PreviousOutput,
  type SigningKey,
  transactionWeight
} from "@countersign/core/bitcoin/chain"
import { BitcoinAddress, Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { p2pkh, p2sh, p2tr, p2wpkh, Transaction as ScureTransaction } from "@scure/btc-signer"
import { crypto, Psbt, type Signer, script, Transaction } from "bitcoinjs-lib"
import { Effect, Result } from "effect"
import { HDKey } from "viem/accounts"
import { shortOrLong } from "../../../../core/test/support/longTests.ts"
import { seededRandom } from "../../../test/evm/randomOperation.ts"
import * as BitcoinjsTransactions from "./BitcoinjsTransactions.ts"
import { addressToScript, scriptToAddress } from "./readAddress.ts"

const port = Effect.runSync(Effect.provide(BitcoinTransactions, BitcoinjsTransactions.layer))

/** The tests sign with a different library than the one with which the service verifies. */
const KEY = new Uint8Array(createHash("sha256").update("a key of tests").digest())
const OTHER_KEY = new Uint8Array(createHash("sha256").update("another key of tests").digest())
const publicKey = secp256k1.pointFromScalar(KEY)!
const payments = {
  P2PKH: p2pkh(publicKey),
  P2SH_P2WPKH: p2sh(p2wpkh(publicKey)),
  P2WPKH: p2wpkh(publicKey),
  P2TR: p2tr(publicKey.subarray(1))
} as const
type Kind = keyof typeof payments
const kinds = Object.keys(payments) as ReadonlyArray<Kind>

/** The order of secp256k1. */
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

const hex = (bytes: Uint8Array): HexBytes => HexBytes.make(`0x${Buffer.from(bytes).toString("hex")}`)
const bytesOf = (text: HexBytes): Uint8Array => new Uint8Array(Buffer.from(text.slice(2), "hex"))

/** Builds the transaction that created the UTXOs. The amount of each is one bitcoin plus its index in satoshis. */
const funding = (kind: Kind, count: number) => {
  const transaction = new Transaction()
  transaction.addInput(new Uint8Array(32).fill(7), 0)
  for (let i = 0; i < count; i++) transaction.addOutput(payments[kind].script, BigInt(100_000_000 + i))
  const txid = Hash32.make(`0x${transaction.getId()}`)
  const inputs = transaction.outs.map(
    (out, vout): PreviousOutput => ({ txid, vout, value: out.value, script: hex(new Uint8Array(out.script)) })
  )
  return { inputs, bytes: hex(transaction.toBuffer()) }
}

/** Returns the key in the format of PSBTs. */
const keyOf = (kind: Kind, derivation: SigningKey["derivation"] = null): SigningKey => ({
  publicKey: hex(kind === "P2TR" ? publicKey.subarray(1) : publicKey),
  derivation
})

const quoteOf = (kind: Kind, count = 2, key: SigningKey | null = keyOf(kind)) => {
  const { bytes, inputs } = funding(kind, count)
  const outputs = [
    { script: hex(payments.P2WPKH.script), value: 50_000_000n },
    { script: hex(payments[kind].script), value: 49_990_000n }
  ]
  const { psbt, txid } = port.buildPsbt({
    inputs: inputs.map((input) => ({ ...input, ...(kind === "P2TR" ? {} : { transaction: bytes }) })),
    outputs,
    key
  })
  const maxWeight = transactionWeight(
    kind,
    count,
    outputs.map(({ script }) => ({ bytes: script.length / 2 - 1 }))
  )
  return { psbt, expected: { txid, inputs, maxWeight } satisfies ExpectedTransaction }
}

const signWith = (psbt: HexBytes, key = KEY, sighash?: Array<number>): ScureTransaction => {
  const transaction = ScureTransaction.fromPSBT(bytesOf(psbt))
  for (let i = 0; i < transaction.inputsLength; i++) {
    if (sighash !== undefined) transaction.updateInput(i, { sighashType: sighash[0]! })
    transaction.signIdx(key, i, sighash)
  }
  return transaction
}
const extractTransaction = (transaction: ScureTransaction): HexBytes => {
  transaction.finalize()
  return hex(transaction.extract())
}
const codeOf = (signedBytes: HexBytes, expected: ExpectedTransaction) =>
  Result.match(port.verifySigned(signedBytes, expected), { onSuccess: () => "accepted", onFailure: ({ code }) => code })

/**
 * Number of mutants per original: a transaction, a signed PSBT or a finalized PSBT of each address type. The long run
 * tests 45,000 mutants in total.
 */
const MUTANTS = shortOrLong(80, 3_750)

/**
 * Applies one kind of mutation: flips a bit; replaces, removes, repeats or swaps a range of bytes; or truncates the
 * end.
 */
const mutantOf = (original: Uint8Array, index: number, random: () => number): Uint8Array => {
  const upTo = (max: number) => Math.floor(random() * max)
  const offset = upTo(original.length)
  const length = 1 + upTo(random() < 0.5 ? 4 : 80)
  const [before, part, after] = [
    original.subarray(0, offset),
    original.subarray(offset, offset + length),
    original.subarray(offset + length)
  ]
  const noise = Array.from({ length: upTo(5) }, () => upTo(256))
  const mutations: ReadonlyArray<() => ReadonlyArray<Iterable<number>>> = [
    () => [before, [original[offset]! ^ (1 << upTo(8))], original.subarray(offset + 1)],
    () => [before, noise, after],
    () => [before, after],
    () => [before, part, part, after],
    () => [before, after.subarray(0, length), part, after.subarray(length)],
    () => [before]
  ]
  return Uint8Array.from(mutations[index % mutations.length]!().flatMap((bytes) => [...bytes]))
}

describe.each(kinds)("a transaction that spends %s", (kind) => {
  const { expected, psbt } = quoteOf(kind)
  const bytes = extractTransaction(signWith(psbt))

  it("is accepted as a transaction, as a signed PSBT, and as a finalized PSBT", () => {
    const acceptedTransaction = Result.getOrThrow(port.verifySigned(bytes, expected))
    assert.strictEqual(acceptedTransaction.bytes, bytes)
    assert.strictEqual(acceptedTransaction.txid, `0x${Transaction.fromHex(bytes.slice(2)).getId()}`)
    assert.strictEqual(acceptedTransaction.txid === expected.txid, kind === "P2WPKH" || kind === "P2TR")
    const partiallySignedPsbt = signWith(psbt)
    assert.deepStrictEqual(
      Result.getOrThrow(port.verifySigned(hex(partiallySignedPsbt.toPSBT()), expected)).txid,
      acceptedTransaction.txid
    )
    partiallySignedPsbt.finalize()
    assert.deepStrictEqual(
      Result.getOrThrow(port.verifySigned(hex(partiallySignedPsbt.toPSBT()), expected)).txid,
      acceptedTransaction.txid
    )
  })

  it("has at most the computed weight", () => {
    for (const count of [1, 2, 7]) {
      const quote = quoteOf(kind, count)
      const signedTransaction = Transaction.fromHex(extractTransaction(signWith(quote.psbt)).slice(2))
      assert.isTrue(signedTransaction.weight() <= quote.expected.maxWeight)
      // The maximum weight assumes the longest signature for each input. A signature may be up to two bytes shorter. A
      // byte has a weight of 4 in a P2PKH input, otherwise of 1.
      assert.isTrue(quote.expected.maxWeight - signedTransaction.weight() <= count * (kind === "P2PKH" ? 8 : 2))
    }
  })

  it("is accepted with an explicit SIGHASH_ALL", () => {
    for (const count of [1, 2, 7]) {
      const quote = quoteOf(kind, count)
      const signedForAll = signWith(quote.psbt, KEY, [1])
      assert.strictEqual(codeOf(hex(signedForAll.toPSBT()), quote.expected), "accepted")
      assert.strictEqual(codeOf(extractTransaction(signedForAll), quote.expected), "accepted")
    }
  })

  it("is rejected if it is unsigned, partly signed, or signed with another key", () => {
    assert.strictEqual(codeOf(psbt, expected), "not_signed")
    const halfSigned = ScureTransaction.fromPSBT(bytesOf(psbt))
    halfSigned.signIdx(KEY, 0)
    assert.strictEqual(codeOf(hex(halfSigned.toPSBT()), expected), "not_signed")
    const unsignedTransaction = Transaction.fromHex(bytes.slice(2))
    unsignedTransaction.ins[1]!.witness = []
    unsignedTransaction.ins[1]!.script = new Uint8Array(0)
    assert.strictEqual(codeOf(hex(unsignedTransaction.toBuffer()), expected), "not_signed")
    assert.strictEqual(codeOf(bytes, quoteOf(kind, 3).expected), "not_as_quoted")
  })

  it("is rejected with another sighash type", () => {
    for (const sighash of [2, 3, 0x81, 0x82, 0x83]) {
      assert.strictEqual(codeOf(extractTransaction(signWith(psbt, KEY, [sighash])), expected), "wrong_sighash")
    }
  })

  it("is rejected with another input, output, sequence, lock time or version", () => {
    const changes: ReadonlyArray<(transaction: Transaction) => unknown> = [
      (transaction) => Object.assign(transaction, { version: 1 }),
      (transaction) => Object.assign(transaction, { locktime: 1 }),
      ({ ins: [first] }) => Object.assign(first!, { sequence: 0xffff_ffff }),
      ({ ins: [first] }) => Object.assign(first!, { index: 5 }),
      ({ outs: [first] }) => Object.assign(first!, { value: first!.value + 1n }),
      ({ outs }) => outs.reverse(),
      (transaction) => transaction.addOutput(payments.P2TR.script, 1_000n),
      ({ outs }) => outs.pop()
    ]
    for (const change of changes) {
      const changedTransaction = Transaction.fromHex(bytes.slice(2))
      change(changedTransaction)
      assert.strictEqual(codeOf(hex(changedTransaction.toBuffer()), expected), "not_as_quoted")
    }
  })

  it("is rejected if its inputs differ from the UTXOs that were read", () => {
    const [first, ...others] = expected.inputs
    const inputs = [{ ...first!, value: first!.value - 1n }, ...others]
    // P2PKH signatures do not commit to the spent amounts.
    assert.strictEqual(codeOf(bytes, { ...expected, inputs }), kind === "P2PKH" ? "accepted" : "wrong_signature")
  })

  it("is rejected with a padded witness, an annex or a script that is not minimal", () => {
    const changedInputs = (change: (input: Transaction["ins"][number]) => object) => {
      const transaction = Transaction.fromHex(bytes.slice(2))
      Object.assign(transaction.ins[0]!, change(transaction.ins[0]!))
      return codeOf(hex(transaction.toBuffer()), expected)
    }
    const annex = new Uint8Array([0x50, 1])
    assert.strictEqual(
      changedInputs(({ witness }) => ({ witness: [...witness, annex] })),
      "wrong_witness"
    )
    assert.strictEqual(
      changedInputs(({ witness }) => ({ witness: [new Uint8Array(0), ...witness] })),
      "wrong_witness"
    )
    if (kind !== "P2PKH" && kind !== "P2SH_P2WPKH") return
    // A non-minimal push of the same bytes.
    assert.strictEqual(
      changedInputs((input) => ({ script: Uint8Array.from([0x4c, ...input.script]) })),
      "wrong_witness"
    )
  })

  it("is rejected with the other S value of its signature", () => {
    if (kind === "P2TR") return
    const transaction = Transaction.fromHex(bytes.slice(2))
    const input = transaction.ins[0]!
    const signatureBytes = kind === "P2PKH" ? input.script.subarray(1, 1 + input.script[0]!) : input.witness[0]!
    const { signature } = script.signature.decode(signatureBytes)
    const highS = ORDER - BigInt(hex(signature.subarray(32)))
    const der = script.signature.encode(
      Uint8Array.from([...signature.subarray(0, 32), ...Buffer.from(highS.toString(16).padStart(64, "0"), "hex")]),
      1
    )
    if (kind === "P2PKH")
      input.script = Uint8Array.from([der.length, ...der, ...input.script.subarray(1 + signatureBytes.length)])
    else input.witness[0] = der
    assert.strictEqual(codeOf(hex(transaction.toBuffer()), expected), "wrong_signature")
  })

  it(`is rejected or has the same bytes after any change to it or to its PSBT (${MUTANTS} of each format)`, () => {
    const random = seededRandom(kinds.indexOf(kind) + 1)
    const partiallySignedPsbt = signWith(psbt)
    const signedPsbt = partiallySignedPsbt.toPSBT()
    partiallySignedPsbt.finalize()
    for (const original of [bytesOf(bytes), signedPsbt, partiallySignedPsbt.toPSBT()]) {
      const signedOriginal = Result.getOrThrow(port.verifySigned(hex(original), expected))
      for (let i = 0; i < MUTANTS; i++) {
        const mutant = mutantOf(original, i, random)
        const result = port.verifySigned(hex(mutant), expected)
        if (Result.isSuccess(result)) assert.deepStrictEqual(result.success, signedOriginal, hex(mutant))
      }
    }
  }, 600_000)
})

/** Simulates wallets that only have their keys: no data are added to the PSBT. */
describe.each(kinds)("the PSBT of a payment from %s", (kind) => {
  const signer = (key: Uint8Array): Signer => ({
    publicKey: secp256k1.pointFromScalar(key, true)!,
    sign: (hash) => secp256k1.sign(hash, key),
    signSchnorr: (hash) => secp256k1.signSchnorr(hash, key)
  })
  /** Computes the output key without scripts (BIP-86). */
  const tweaked = (key: Uint8Array) => {
    const point = secp256k1.pointFromScalar(key, true)!
    const even = point[0] === 3 ? secp256k1.privateNegate(key) : key
    return secp256k1.privateAdd(even, crypto.taggedHash("TapTweak", point.slice(1)))!
  }

  it("is signed by bitcoinjs-lib", () => {
    const { expected, psbt } = quoteOf(kind)
    const signedPsbt = Psbt.fromHex(psbt.slice(2))
    signedPsbt.signAllInputs(signer(kind === "P2TR" ? tweaked(KEY) : KEY))
    assert.strictEqual(codeOf(hex(new Uint8Array(signedPsbt.toBuffer())), expected), "accepted")
    const bytes = signedPsbt.finalizeAllInputs().extractTransaction(true).toBuffer()
    assert.strictEqual(codeOf(hex(new Uint8Array(bytes)), expected), "accepted")
  })

  it("is signed by @scure/btc-signer from a master key, by its derivation", () => {
    const master = HDKey.fromMasterSeed(KEY)
    const path = "m/86'/0'/0'/0/7"
    const ownPublicKey = master.derive(path).publicKey!
    const masterFingerprint = master.fingerprint.toString(16).padStart(8, "0")
    const derivedPayments = {
      P2PKH: () => p2pkh(ownPublicKey),
      P2SH_P2WPKH: () => p2sh(p2wpkh(ownPublicKey)),
      P2WPKH: () => p2wpkh(ownPublicKey),
      P2TR: () => p2tr(ownPublicKey.subarray(1))
    }[kind]()
    const script = hex(derivedPayments.script)
    const previousTransaction = new Transaction()
    previousTransaction.addInput(new Uint8Array(32).fill(9), 0)
    previousTransaction.addOutput(derivedPayments.script, 100_000n)
    const spentAmount = { txid: Hash32.make(`0x${previousTransaction.getId()}`), vout: 0, value: 100_000n, script }
    const outputs = [{ script, value: 90_000n }]
    const { psbt, txid } = port.buildPsbt({
      inputs: [{ ...spentAmount, ...(kind === "P2TR" ? {} : { transaction: hex(previousTransaction.toBuffer()) }) }],
      outputs,
      key: {
        publicKey: hex(kind === "P2TR" ? ownPublicKey.subarray(1) : ownPublicKey),
        derivation: { masterFingerprint, path }
      }
    })
    const transaction = ScureTransaction.fromPSBT(bytesOf(psbt))
    assert.strictEqual(transaction.sign(master as Parameters<ScureTransaction["sign"]>[0]), 1)
    const maxWeight = transactionWeight(kind, 1, [{ bytes: derivedPayments.script.length }])
    assert.strictEqual(codeOf(extractTransaction(transaction), { txid, inputs: [spentAmount], maxWeight }), "accepted")
    // A signer recognizes its change output by the same fields.
    const { bip32Derivation, redeemScript, tapBip32Derivation, tapInternalKey } = transaction.getOutput(0)
    assert.lengthOf((kind === "P2TR" ? tapBip32Derivation : bip32Derivation) ?? [], 1)
    assert.strictEqual(tapInternalKey !== undefined, kind === "P2TR")
    assert.strictEqual(redeemScript !== undefined, kind === "P2SH_P2WPKH")
  })

  it("has the same id without the public key", () => {
    assert.deepStrictEqual(quoteOf(kind, 2, null).expected, quoteOf(kind).expected)
  })
})

describe("scripts", () => {
  it.each([
    "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
    "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
    "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
    "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"
  ])("have the address from which they were derived: %s", (text) => {
    const address = BitcoinAddress.make(text)
    assert.strictEqual(scriptToAddress(addressToScript(address)), address)
  })

  it("have no address if their type has no address format", () => {
    for (const script of ["0x", "0x6a0461626364", `0x21${"02".repeat(33)}ac`, "0x51024e73"]) {
      assert.isNull(scriptToAddress(HexBytes.make(script)))
    }
  })
})

describe("other bytes", () => {
  const { expected, psbt } = quoteOf("P2WPKH")
  const bytes = extractTransaction(signWith(psbt))

  it("are rejected with a reason", () => {
    const invalidCases: ReadonlyArray<readonly [string, string]> = [
      ["0x", "malformed"],
      ["0x00", "malformed"],
      [`0x${"00".repeat(500_000)}`, "malformed"],
      ["0x70736274ff00", "malformed"],
      [`${bytes}00`, "malformed"]
    ]
    for (const [given, code] of invalidCases) {
      assert.strictEqual(codeOf(HexBytes.make(given), expected), code)
    }
  })

  it("are rejected if another key has signed", () => {
    const ownPsbt = Psbt.fromBuffer(bytesOf(psbt))
    const otherPublicKey = secp256k1.pointFromScalar(OTHER_KEY)!
    for (let i = 0; i < ownPsbt.inputCount; i++) {
      const [input] = [ownPsbt.data.inputs[i]!]
      input.finalScriptWitness = Uint8Array.from([2, 71, ...new Uint8Array(71).fill(1), 33, ...otherPublicKey])
    }
    assert.strictEqual(codeOf(hex(ownPsbt.toBuffer()), expected), "wrong_signature")
  })

  it("are rejected if an output can be spent by more than one key", () => {
    const script = HexBytes.make(`0x0020${"ab".repeat(32)}`)
    const inputs = expected.inputs.map((input) => ({ ...input, script }))
    assert.strictEqual(codeOf(bytes, { ...expected, inputs }), "unsupported")
  })
})
