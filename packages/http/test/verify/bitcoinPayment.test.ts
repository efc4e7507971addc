import { createHash } from "node:crypto"
import * as secp256k1 from "@bitcoinerlab/secp256k1"
import { BitcoinTransactions, transactionWeight } from "@countersign/core/bitcoin/chain"
import { BitcoinAddress, decimalFromBaseUnits, Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import { assert, describe, it } from "@effect/vitest"
import { p2tr, p2wpkh } from "@scure/btc-signer"
import { Psbt, Transaction } from "bitcoinjs-lib"
import { Effect } from "effect"
import { BitcoinjsTransactions } from "../../../adapters/src/chains/bitcoin/index.ts"
import type { TransferQuote, TransferRequest } from "../../src/client/index.ts"
import {
  type BitcoinProblemCode,
  type BitcoinReplacementRequest,
  verifyBitcoinPayment,
  verifyBitcoinReplacement
} from "../../src/verify/bitcoin/index.ts"
import { latestHeight } from "../../src/verify/bitcoin/psbtChecks.ts"

/** Tests responses of a service that lies about a requested payment. */

const port = Effect.runSync(Effect.provide(Effect.service(BitcoinTransactions), BitcoinjsTransactions.layer))
const publicKeyOf = (name: string) =>
  secp256k1.pointFromScalar(new Uint8Array(createHash("sha256").update(name).digest()), true)!
const addressOf = (name: string) => BitcoinAddress.make(p2wpkh(publicKeyOf(name)).address!)
const [WALLET, RECEIVER, PARTNER, THIEF, TREASURY] = [
  addressOf("wallet"),
  addressOf("receiver"),
  addressOf("partner"),
  addressOf("thief"),
  addressOf("treasury")
] as const
const COIN = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
const NOW = 1_700_000_000

const request: TransferRequest = {
  walletAddress: WALLET,
  chainId: 0,
  token: COIN,
  amount: "0.01",
  toAddress: RECEIVER,
  gasFeePaymentMethod: "ADD_TO_AMOUNT",
  payGasFeeToken: COIN,
  extraFee: { percentage: 1, toAddress: PARTNER },
  feeRate: 5
}

interface PaidOutput {
  readonly address: BitcoinAddress
  readonly value: bigint
}

const RECEIVED: PaidOutput = { address: RECEIVER, value: 990_000n }
const SHARED: PaidOutput = { address: PARTNER, value: 10_000n }
const CHANGE: PaidOutput = { address: WALLET, value: 498_960n }
const btc = (value: bigint) => decimalFromBaseUnits(value, 8)

const FUNDS = 1_500_000n

/** Builds the transaction that created a UTXO as its second output. Different seeds give different transactions. */
const parentOf = (address: BitcoinAddress, value: bigint, seed: string) => {
  const transaction = new Transaction()
  transaction.addInput(new Uint8Array(createHash("sha256").update(seed).digest()), 0)
  for (const amount of [1_000n, value])
    transaction.addOutput(new Uint8Array(Buffer.from(port.scriptOf(address).slice(2), "hex")), amount)
  return { txid: Hash32.make(`0x${transaction.getId()}`), bytes: HexBytes.make(`0x${transaction.toHex()}`) }
}

/** Builds the quote of a transaction with these outputs. All fields of the quote match the transaction. */
const quoteOf = (
  outputs: ReadonlyArray<PaidOutput> = [RECEIVED, SHARED, CHANGE],
  { from = WALLET, change = (psbt: string): string => psbt, utxo = "ab", funds = FUNDS, hasParent = true } = {}
): TransferQuote => {
  const parent = parentOf(from, funds, utxo)
  const inputs = [
    {
      txid: parent.txid,
      vout: 1,
      value: funds,
      script: port.scriptOf(from),
      ...(hasParent ? { transaction: parent.bytes } : {})
    }
  ]
  const unsignedPayment = port.unsigned({
    inputs,
    outputs: outputs.map(({ address, value }) => ({ script: port.scriptOf(address), value }))
  })
  const psbt = HexBytes.make(change(unsignedPayment.psbt))
  const fee = funds - outputs.reduce((sum, { value }) => sum + value, 0n)
  const ownOutputs = outputs.filter(({ address }) => address === WALLET)
  return {
    quoteId: unsignedPayment.txid,
    userOperationHash: unsignedPayment.txid,
    type: "TRANSFER",
    walletAddress: WALLET,
    toAddress: RECEIVER,
    chainId: 0,
    token: COIN,
    amount: "0.01",
    expiresAt: new Date((NOW + 60) * 1_000).toISOString(),
    fees: [],
    signData: [
      {
        type: "BITCOIN_TRANSACTION",
        method: "sign_psbt",
        hash: unsignedPayment.txid,
        psbt,
        psbtBase64: Buffer.from(psbt.slice(2), "hex").toString("base64")
      }
    ],
    bitcoin: {
      inputs: inputs.map(({ txid, value, vout }) => ({ txid, vout, amount: btc(value) })),
      outputs: outputs.map(({ address, value }) => ({ address, amount: btc(value), role: "RECEIVER" })),
      change: btc(ownOutputs.reduce((sum, { value }) => sum + value, 0n)),
      fee: btc(fee),
      feeRate: 5,
      virtualSize: Math.ceil(
        transactionWeight(
          "P2WPKH",
          1,
          outputs.map(() => ({ bytes: 22 }))
        ) / 4
      )
    }
  } as unknown as TransferQuote
}

const codesOf = (
  quote: TransferQuote,
  transferRequest: TransferRequest = request
): ReadonlyArray<BitcoinProblemCode> => {
  const verification = verifyBitcoinPayment({ request: transferRequest, quote, trust: { now: NOW } })
  return verification.ok ? [] : [...new Set(verification.problems.map(({ code }) => code))]
}

const rewritePsbt = (change: (psbt: Psbt) => void) => (hex: string) => {
  const psbt = Psbt.fromHex(hex.slice(2))
  change(psbt)
  return `0x${psbt.toHex()}`
}

describe("the verifier of a Bitcoin payment", () => {
  it("passes an honest quote", () => {
    const verification = verifyBitcoinPayment({ request, quote: quoteOf(), trust: { now: NOW } })
    assert.deepStrictEqual(verification, {
      ok: true,
      txid: quoteOf().quoteId,
      fee: 1_040n,
      change: CHANGE.value
    })
  })

  it("passes a fee that the receiver pays, and a payment of the whole balance", () => {
    const deductedRequest: TransferRequest = { ...request, gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT" }
    const deductedQuote = quoteOf([{ ...RECEIVED, value: 989_000n }, SHARED, { ...CHANGE, value: 500_000n }])
    assert.deepStrictEqual(codesOf(deductedQuote, deductedRequest), [])
    const { extraFee: _, ...requestWithoutExtraFee } = request
    const maxQuote = quoteOf([{ ...RECEIVED, value: 1_499_400n }])
    assert.deepStrictEqual(codesOf(maxQuote, { ...requestWithoutExtraFee, amount: "MAX" }), [])
  })

  const requestWithService: TransferRequest = { ...request, transactionFeePercent: 2 }
  const verifyWithServiceFee = (quote: TransferQuote) =>
    ({ ...quote, fees: [{ type: "SERVICE" }] }) as unknown as TransferQuote
  const serviceOf = (address: BitcoinAddress, value: bigint) =>
    verifyWithServiceFee(quoteOf([{ ...RECEIVED, value: 970_000n }, { address, value }, SHARED, CHANGE]))
  const codesWith = (quote: TransferQuote, treasury?: string) => {
    const trust = { now: NOW, ...(treasury === undefined ? {} : { treasury }) }
    const verification = verifyBitcoinPayment({ request: requestWithService, quote, trust })
    return verification.ok ? [] : verification.problems.map(({ code }) => code)
  }

  it("passes the project's requested fee, at the known treasury", () => {
    assert.deepStrictEqual(codesWith(serviceOf(TREASURY, 20_000n)), [])
    assert.deepStrictEqual(codesWith(serviceOf(TREASURY, 20_000n), TREASURY), [])
    // A project without a Bitcoin treasury charges no fee.
    assert.deepStrictEqual(codesWith(quoteOf()), [])
  })

  it("rejects a project's fee of another amount, to another address, or without a request", () => {
    assert.include(codesWith(serviceOf(TREASURY, 20_001n)), "wrong_amount")
    assert.include(codesWith(serviceOf(THIEF, 20_000n), TREASURY), "wrong_receiver")
    assert.include(codesWith(serviceOf(WALLET, 20_000n)), "wrong_receiver")
    const quoteWithUnrequestedFee = verifyWithServiceFee(
      quoteOf([{ ...RECEIVED, value: 970_000n }, { address: THIEF, value: 20_000n }, SHARED, CHANGE])
    )
    assert.notDeepEqual(codesOf(quoteWithUnrequestedFee), [])
  })

  it.each<readonly [string, TransferQuote, BitcoinProblemCode]>([
    ["another receiver", quoteOf([{ ...RECEIVED, address: THIEF }, SHARED, CHANGE]), "wrong_receiver"],
    ["less for the receiver", quoteOf([{ ...RECEIVED, value: 980_000n }, SHARED, CHANGE]), "wrong_amount"],
    ["more for the receiver", quoteOf([{ ...RECEIVED, value: 990_001n }, SHARED, CHANGE]), "wrong_amount"],
    ["no extra fee", quoteOf([RECEIVED, { ...CHANGE, value: 508_960n }]), "wrong_receiver"],
    [
      "a higher extra fee",
      quoteOf([RECEIVED, { ...SHARED, value: 20_000n }, { ...CHANGE, value: 488_960n }]),
      "wrong_amount"
    ],
    ["change for another address", quoteOf([RECEIVED, SHARED, { ...CHANGE, address: THIEF }]), "wrong_change"],
    ["an additional output", quoteOf([RECEIVED, SHARED, CHANGE, { address: THIEF, value: 600n }]), "wrong_change"],
    ["all change to the miner", quoteOf([RECEIVED, SHARED]), "wrong_fee"],
    ["UTXOs of another address", quoteOf(undefined, { from: THIEF }), "wrong_wallet"],
    [
      "no replacement",
      quoteOf(undefined, { change: rewritePsbt((psbt) => psbt.setInputSequence(0, 0xffff_ffff)) }),
      "wrong_form"
    ],
    ["a lock time", quoteOf(undefined, { change: rewritePsbt((psbt) => psbt.setLocktime(900_000)) }), "wrong_form"],
    [
      "a signature over a part",
      quoteOf(undefined, { change: rewritePsbt((psbt) => psbt.updateInput(0, { sighashType: 0x83 })) }),
      "wrong_form"
    ],
    ["another id", { ...quoteOf(), quoteId: `0x${"11".repeat(32)}` }, "wrong_signing"],
    [
      "another PSBT in base64",
      { ...quoteOf(), signData: [{ ...quoteOf().signData[0]!, psbtBase64: "cHNidP8=" }] } as TransferQuote,
      "wrong_signing"
    ],
    ["nothing to sign", { ...quoteOf(), signData: [] }, "unreadable"],
    ["bytes that are not a PSBT", quoteOf(undefined, { change: () => "0x1234" }), "unreadable"],
    [
      "another amount in the preview",
      { ...quoteOf(), bitcoin: { ...quoteOf().bitcoin!, fee: "0.00000001" } },
      "wrong_preview"
    ],
    ["another receiver in its fields", { ...quoteOf(), toAddress: THIEF }, "wrong_echo"],
    ["a past expiry", { ...quoteOf(), expiresAt: new Date(NOW * 1_000 - 1).toISOString() }, "wrong_deadline"]
  ])("rejects %s", (_, quote, code) => {
    assert.include(codesOf(quote), code)
  })
})

describe("the lock time of a payment", () => {
  it("is at most the height that the chain can have, within two weeks of June 2025", () => {
    // Block 900,000 was mined on 6 June 2025.
    const height = latestHeight({ now: 1_749_211_200 })
    assert.isAtLeast(height, 900_000)
    assert.isAtMost(height, 900_000 + 14 * 144)
  })
})

const parentFields = (parent: HexBytes) => ({
  hasParent: false,
  change: rewritePsbt((psbt) =>
    psbt.updateInput(0, { nonWitnessUtxo: new Uint8Array(Buffer.from(parent.slice(2), "hex")) })
  )
})

describe("the amount of a UTXO that a payment spends", () => {
  const codesFrom = (address: BitcoinAddress, options: object) => {
    const quote = quoteOf([RECEIVED, SHARED, { ...CHANGE, address }], { from: address, ...options })
    const requestFromAddress = { ...request, walletAddress: address }
    const shownQuote = { ...quote, walletAddress: address, bitcoin: { ...quote.bitcoin!, change: btc(CHANGE.value) } }
    return codesOf(shownQuote as TransferQuote, requestFromAddress)
  }

  it("is proven by the transaction that created it, for every kind except P2TR", () => {
    const p2trAddress = BitcoinAddress.make(p2tr(publicKeyOf("wallet").subarray(1)).address!)
    const legacy = BitcoinAddress.make("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2")
    const nestedSegwit = BitcoinAddress.make("3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy")
    for (const address of [WALLET, legacy, nestedSegwit]) {
      assert.deepStrictEqual(codesFrom(address, {}), [])
      // A segwit version 0 signature commits only to the amount of its own input (CVE-2020-14199).
      assert.deepStrictEqual(codesFrom(address, { hasParent: false }), ["unproven_amount"])
    }
    assert.deepStrictEqual(codesFrom(p2trAddress, { hasParent: false }), [])
  })

  it("is not proven by another transaction, or by one with another amount", () => {
    const otherParent = parentOf(WALLET, FUNDS, "another")
    const shiftedParent = parentOf(WALLET, FUNDS + 1n, "ab")
    for (const { bytes } of [otherParent, shiftedParent])
      assert.deepStrictEqual(codesFrom(WALLET, parentFields(bytes)), ["unreadable"])
    assert.deepStrictEqual(codesFrom(WALLET, parentFields(parentOf(WALLET, FUNDS, "ab").bytes)), [])
  })
})

describe("the miner's fee of a payment without a requested fee rate", () => {
  const { feeRate: _, ...unrated } = request
  const LARGE = 10_000_000_000n
  const feeCodes = (fee: bigint, trust: { readonly maxFee?: string } = {}) => {
    const spentValue = RECEIVED.value + SHARED.value
    const quote = quoteOf([RECEIVED, SHARED, { ...CHANGE, value: LARGE - spentValue - fee }], { funds: LARGE })
    const verification = verifyBitcoinPayment({ request: unrated, quote, trust: { now: NOW, ...trust } })
    return verification.ok ? [] : verification.problems.map(({ code }) => code)
  }

  it("is limited by the size and by the paid amount, without change", () => {
    // About 70 sat/vB for 210 virtual bytes.
    assert.deepStrictEqual(feeCodes(15_000n), [])
    assert.deepStrictEqual(feeCodes(100_000n), ["wrong_fee"])
    assert.deepStrictEqual(feeCodes(LARGE / 200n), ["wrong_fee"])
    assert.deepStrictEqual(feeCodes(100_000n, { maxFee: "0.001" }), [])
    assert.deepStrictEqual(feeCodes(15_000n, { maxFee: "0.0001" }), ["wrong_fee"])
  })

  it("may be a hundredth of a large amount", () => {
    const largeRequest = { ...unrated, amount: "50" }
    const receiverOutput = { ...RECEIVED, value: 4_950_000_000n }
    const sharedOutput = { ...SHARED, value: 50_000_000n }
    const codesAt = (fee: bigint) =>
      codesOf(
        quoteOf([receiverOutput, sharedOutput, { ...CHANGE, value: LARGE - 5_000_000_000n - fee }], { funds: LARGE }),
        largeRequest
      )
    assert.deepStrictEqual(codesAt(50_000_000n), [])
    assert.deepStrictEqual(codesAt(50_000_001n), ["wrong_fee"])
  })

  it("is limited by the size if no amount leaves the wallet", () => {
    const earlierQuote = quoteOf()
    const backWith = (fee: bigint, kind: "CANCEL" | "CHILD") =>
      ({
        ...quoteOf([{ address: WALLET, value: LARGE - fee }], { funds: LARGE }),
        replaces: { kind, transactionId: "1" }
      }) as TransferQuote
    const parent = parentOf(WALLET, LARGE, "ab").txid
    const codesAt = (fee: bigint) => {
      const verification = verifyBitcoinReplacement({
        request: { kind: "CHILD", walletAddress: WALLET, transactionHash: parent },
        quote: backWith(fee, "CHILD"),
        trust: { now: NOW }
      })
      return verification.ok ? [] : verification.problems.map(({ code }) => code)
    }
    assert.deepStrictEqual(codesAt(20_000n), [])
    assert.deepStrictEqual(codesAt(100_000n), ["wrong_fee"])
    const cancellationProblems = verifyBitcoinReplacement({
      request: { kind: "CANCEL", walletAddress: WALLET, earlier: earlierQuote },
      quote: backWith(1_000_000n, "CANCEL"),
      trust: { now: NOW }
    })
    assert.include(cancellationProblems.ok ? [] : cancellationProblems.problems.map(({ code }) => code), "wrong_fee")
  })
})

describe("the verifier of a payment to several receivers", () => {
  const several: TransferRequest = {
    ...request,
    furtherReceivers: [{ toAddress: TREASURY, amount: "0.001" }]
  }
  const FURTHER: PaidOutput = { address: TREASURY, value: 99_000n }
  const FEE_OUTPUT: PaidOutput = { address: PARTNER, value: 11_000n }
  const CHANGE_OUTPUT: PaidOutput = { address: WALLET, value: 398_960n }

  it("passes an honest quote", () => {
    assert.deepStrictEqual(codesOf(quoteOf([RECEIVED, FURTHER, FEE_OUTPUT, CHANGE_OUTPUT]), several), [])
    const maxQuote = quoteOf([{ ...RECEIVED, value: 1_385_010n }, FURTHER, { ...FEE_OUTPUT, value: 14_990n }])
    assert.deepStrictEqual(codesOf(maxQuote, { ...several, amount: "MAX" }), [])
  })

  it.each<readonly [string, ReadonlyArray<PaidOutput>, BitcoinProblemCode]>([
    [
      "another further receiver",
      [RECEIVED, { ...FURTHER, address: THIEF }, FEE_OUTPUT, CHANGE_OUTPUT],
      "wrong_receiver"
    ],
    [
      "less for it",
      [RECEIVED, { ...FURTHER, value: 98_999n }, FEE_OUTPUT, { ...CHANGE_OUTPUT, value: 398_961n }],
      "wrong_amount"
    ],
    ["more of a fee", [RECEIVED, FURTHER, { ...FEE_OUTPUT, value: 11_001n }, CHANGE_OUTPUT], "wrong_amount"],
    ["it missing", [RECEIVED, FEE_OUTPUT, { ...CHANGE_OUTPUT, value: 497_960n }], "wrong_receiver"]
  ])("rejects %s", (_, outputs, code) => {
    assert.include(codesOf(quoteOf(outputs), several), code)
  })
})

describe("the verifier of a replacement", () => {
  const earlierQuote = quoteOf()
  const withReplacement = (kind: "BUMP" | "CANCEL" | "CHILD", quote: TransferQuote): TransferQuote => ({
    ...quote,
    replaces: { kind, transactionId: "1" }
  })
  const replacementRequest = (kind: "BUMP" | "CANCEL") => ({
    kind,
    walletAddress: WALLET,
    earlier: earlierQuote,
    feeRate: 12
  })
  const child = { kind: "CHILD", walletAddress: WALLET, transactionHash: parentOf(WALLET, FUNDS, "ab").txid } as const
  const codes = (asking: BitcoinReplacementRequest, quote: TransferQuote) => {
    const verification = verifyBitcoinReplacement({ request: asking, quote, trust: { now: NOW } })
    return verification.ok ? [] : verification.problems.map(({ code }) => code)
  }
  const BUMPED: PaidOutput = { ...CHANGE, value: 498_000n }
  const BACK: PaidOutput = { address: WALLET, value: 1_498_500n }

  it("passes a bump with the same receivers, a cancellation to the wallet, and a CPFP of a deposit", () => {
    assert.deepStrictEqual(
      codes(replacementRequest("BUMP"), withReplacement("BUMP", quoteOf([RECEIVED, SHARED, BUMPED]))),
      []
    )
    assert.deepStrictEqual(codes(replacementRequest("CANCEL"), withReplacement("CANCEL", quoteOf([BACK]))), [])
    assert.deepStrictEqual(codes(child, withReplacement("CHILD", quoteOf([BACK]))), [])
  })

  describe("of a payment with a fee above the requested rate or the default", () => {
    /** The fee of 30,000 satoshis is about 140 sat/vB for 210 virtual bytes. */
    const expensive = quoteOf([RECEIVED, SHARED, { ...CHANGE, value: 470_000n }])
    const bumpFee = (increment: bigint) =>
      withReplacement("BUMP", quoteOf([RECEIVED, SHARED, { ...CHANGE, value: 470_000n - increment }]))
    const cancelWith = (increment: bigint) =>
      withReplacement("CANCEL", quoteOf([{ address: WALLET, value: FUNDS - 30_000n - increment }]))

    it.each([
      ["with a fee rate", { feeRate: 12 }],
      ["without a fee rate", {}]
    ])("passes the earlier fee and the increment of BIP-125 %s", (_, rate) => {
      const request = { walletAddress: WALLET, earlier: expensive, ...rate }
      assert.deepStrictEqual(codes({ ...request, kind: "BUMP" }, bumpFee(210n)), [])
      assert.deepStrictEqual(codes({ ...request, kind: "CANCEL" }, cancelWith(112n)), [])
      assert.deepStrictEqual(codes({ ...request, kind: "BUMP" }, bumpFee(5_000n)), ["wrong_fee"])
      assert.deepStrictEqual(codes({ ...request, kind: "CANCEL" }, cancelWith(5_000n)), ["wrong_fee"])
    })

    it("rejects a fee above `maxFee`", () => {
      const verification = verifyBitcoinReplacement({
        request: { kind: "BUMP", walletAddress: WALLET, earlier: expensive },
        quote: bumpFee(210n),
        trust: { now: NOW, maxFee: "0.0003" }
      })
      assert.deepStrictEqual(verification.ok ? [] : verification.problems.map(({ code }) => code), ["wrong_fee"])
    })
  })

  it("passes a CPFP of a large parent if `maxFee` allows its fee", () => {
    const quote = withReplacement("CHILD", quoteOf([{ address: WALLET, value: FUNDS - 200_000n }]))
    assert.deepStrictEqual(codes(child, quote), ["wrong_fee"])
    const trust = { now: NOW, maxFee: "0.002" }
    assert.isTrue(verifyBitcoinReplacement({ request: child, quote, trust }).ok)
  })

  it.each<readonly [string, BitcoinReplacementRequest, TransferQuote, BitcoinProblemCode]>([
    [
      "another receiver",
      replacementRequest("BUMP"),
      withReplacement("BUMP", quoteOf([{ ...RECEIVED, address: THIEF }, SHARED, BUMPED])),
      "wrong_receiver"
    ],
    [
      "less for a receiver",
      replacementRequest("BUMP"),
      withReplacement("BUMP", quoteOf([{ ...RECEIVED, value: 980_000n }, SHARED, BUMPED])),
      "wrong_receiver"
    ],
    [
      "other UTXOs",
      replacementRequest("BUMP"),
      withReplacement("BUMP", quoteOf([RECEIVED, SHARED, BUMPED], { utxo: "cd" })),
      "wrong_replacement"
    ],
    [
      "no higher fee",
      replacementRequest("BUMP"),
      withReplacement("BUMP", quoteOf([RECEIVED, SHARED, CHANGE])),
      "wrong_fee"
    ],
    [
      "all change to the miner",
      replacementRequest("BUMP"),
      withReplacement("BUMP", quoteOf([RECEIVED, SHARED])),
      "wrong_fee"
    ],
    [
      "a payment instead of a cancellation",
      replacementRequest("CANCEL"),
      withReplacement("CANCEL", quoteOf([RECEIVED, BUMPED])),
      "wrong_receiver"
    ],
    [
      "UTXOs that pay another address",
      replacementRequest("CANCEL"),
      withReplacement("CANCEL", quoteOf([{ ...BACK, address: THIEF }])),
      "wrong_receiver"
    ],
    ["another kind", replacementRequest("CANCEL"), withReplacement("BUMP", quoteOf([BACK])), "wrong_echo"],
    [
      "UTXOs of another wallet",
      replacementRequest("CANCEL"),
      withReplacement("CANCEL", quoteOf([BACK], { from: THIEF })),
      "wrong_wallet"
    ],
    [
      "a child of another transaction",
      child,
      withReplacement("CHILD", quoteOf([BACK], { utxo: "cd" })),
      "wrong_replacement"
    ],
    ["a child that pays others", child, withReplacement("CHILD", quoteOf([RECEIVED, BUMPED])), "wrong_receiver"]
  ])("rejects %s", (_, asking, quote, code) => {
    assert.include(codes(asking, quote), code)
  })
})
