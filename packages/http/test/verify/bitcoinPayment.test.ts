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

const bitcoinTransactions = Effect.runSync(
  Effect.provide(Effect.service(BitcoinTransactions), BitcoinjsTransactions.layer)
)
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
const NATIVE_TOKEN = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
const NOW = 1_700_000_000

const request: TransferRequest = {
  walletAddress: WALLET,
  chainId: 0,
  token: NATIVE_TOKEN,
  amount: "0.01",
  toAddress: RECEIVER,
  gasFeePaymentMethod: "ADD_TO_AMOUNT",
  payGasFeeToken: NATIVE_TOKEN,
  extraFee: { percentage: 1, toAddress: PARTNER },
  feeRate: 5
}

interface PaidOutput {
  readonly address: BitcoinAddress
  readonly value: bigint
}

const RECEIVER_OUTPUT: PaidOutput = { address: RECEIVER, value: 990_000n }
const PARTNER_OUTPUT: PaidOutput = { address: PARTNER, value: 10_000n }
const CHANGE: PaidOutput = { address: WALLET, value: 498_960n }
const formatBtc = (value: bigint) => decimalFromBaseUnits(value, 8)

const FUNDS = 1_500_000n

/** Builds the transaction that created a UTXO as its second output. Different seeds give different transactions. */
const parentOf = (address: BitcoinAddress, value: bigint, seed: string) => {
  const transaction = new Transaction()
  transaction.addInput(new Uint8Array(createHash("sha256").update(seed).digest()), 0)
  for (const amount of [1_000n, value])
    transaction.addOutput(new Uint8Array(Buffer.from(bitcoinTransactions.scriptOf(address).slice(2), "hex")), amount)
  return { txid: Hash32.make(`0x${transaction.getId()}`), bytes: HexBytes.make(`0x${transaction.toHex()}`) }
}

/** Builds the quote of a transaction with these outputs. All fields of the quote match the transaction. */
const quoteOf = (
  outputs: ReadonlyArray<PaidOutput> = [RECEIVER_OUTPUT, PARTNER_OUTPUT, CHANGE],
  {
    from = WALLET,
    change: changePsbt = (psbt: string): string => psbt,
    utxo: utxoSeed = "ab",
    funds = FUNDS,
    hasParent = true
  } = {}
): TransferQuote => {
  const parent = parentOf(from, funds, utxoSeed)
  const inputs = [
    {
      txid: parent.txid,
      vout: 1,
      value: funds,
      script: bitcoinTransactions.scriptOf(from),
      ...(hasParent ? { transaction: parent.bytes } : {})
    }
  ]
  const unsignedPayment = bitcoinTransactions.buildPsbt({
    inputs,
    outputs: outputs.map(({ address, value }) => ({ script: bitcoinTransactions.scriptOf(address), value }))
  })
  const psbt = HexBytes.make(changePsbt(unsignedPayment.psbt))
  const fee = funds - outputs.reduce((sum, { value }) => sum + value, 0n)
  const ownOutputs = outputs.filter(({ address }) => address === WALLET)
  return {
    quoteId: unsignedPayment.txid,
    userOperationHash: unsignedPayment.txid,
    type: "TRANSFER",
    walletAddress: WALLET,
    toAddress: RECEIVER,
    chainId: 0,
    token: NATIVE_TOKEN,
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
      inputs: inputs.map(({ txid, value, vout }) => ({ txid, vout, amount: formatBtc(value) })),
      outputs: outputs.map(({ address, value }) => ({ address, amount: formatBtc(value), role: "RECEIVER" })),
      change: formatBtc(ownOutputs.reduce((sum, { value }) => sum + value, 0n)),
      fee: formatBtc(fee),
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
    const deductedQuote = quoteOf([
      { ...RECEIVER_OUTPUT, value: 989_000n },
      PARTNER_OUTPUT,
      { ...CHANGE, value: 500_000n }
    ])
    assert.deepStrictEqual(codesOf(deductedQuote, deductedRequest), [])
    const { extraFee: _, ...requestWithoutExtraFee } = request
    const maxQuote = quoteOf([{ ...RECEIVER_OUTPUT, value: 1_499_400n }])
    assert.deepStrictEqual(codesOf(maxQuote, { ...requestWithoutExtraFee, amount: "MAX" }), [])
  })

  const requestWithService: TransferRequest = { ...request, transactionFeePercent: 2 }
  const addServiceFee = (quote: TransferQuote) =>
    ({ ...quote, fees: [{ type: "SERVICE" }] }) as unknown as TransferQuote
  const quoteWithServiceFee = (address: BitcoinAddress, value: bigint) =>
    addServiceFee(quoteOf([{ ...RECEIVER_OUTPUT, value: 970_000n }, { address, value }, PARTNER_OUTPUT, CHANGE]))
  const codesOfServiceQuote = (quote: TransferQuote, treasury?: string) => {
    const trust = { now: NOW, ...(treasury === undefined ? {} : { treasury }) }
    const verification = verifyBitcoinPayment({ request: requestWithService, quote, trust })
    return verification.ok ? [] : verification.problems.map(({ code }) => code)
  }

  it("passes the project's requested fee, at the known treasury", () => {
    assert.deepStrictEqual(codesOfServiceQuote(quoteWithServiceFee(TREASURY, 20_000n)), [])
    assert.deepStrictEqual(codesOfServiceQuote(quoteWithServiceFee(TREASURY, 20_000n), TREASURY), [])
    // A project without a Bitcoin treasury charges no fee.
    assert.deepStrictEqual(codesOfServiceQuote(quoteOf()), [])
  })

  it("rejects a project's fee of another amount, to another address, or without a request", () => {
    assert.include(codesOfServiceQuote(quoteWithServiceFee(TREASURY, 20_001n)), "wrong_amount")
    assert.include(codesOfServiceQuote(quoteWithServiceFee(THIEF, 20_000n), TREASURY), "wrong_receiver")
    assert.include(codesOfServiceQuote(quoteWithServiceFee(WALLET, 20_000n)), "wrong_receiver")
    const quoteWithUnrequestedFee = addServiceFee(
      quoteOf([{ ...RECEIVER_OUTPUT, value: 970_000n }, { address: THIEF, value: 20_000n }, PARTNER_OUTPUT, CHANGE])
    )
    assert.notDeepEqual(codesOf(quoteWithUnrequestedFee), [])
  })

  it.each<readonly [string, TransferQuote, BitcoinProblemCode]>([
    ["another receiver", quoteOf([{ ...RECEIVER_OUTPUT, address: THIEF }, PARTNER_OUTPUT, CHANGE]), "wrong_receiver"],
    [
      "less for the receiver",
      quoteOf([{ ...RECEIVER_OUTPUT, value: 980_000n }, PARTNER_OUTPUT, CHANGE]),
      "wrong_amount"
    ],
    [
      "more for the receiver",
      quoteOf([{ ...RECEIVER_OUTPUT, value: 990_001n }, PARTNER_OUTPUT, CHANGE]),
      "wrong_amount"
    ],
    ["no extra fee", quoteOf([RECEIVER_OUTPUT, { ...CHANGE, value: 508_960n }]), "wrong_receiver"],
    [
      "a higher extra fee",
      quoteOf([RECEIVER_OUTPUT, { ...PARTNER_OUTPUT, value: 20_000n }, { ...CHANGE, value: 488_960n }]),
      "wrong_amount"
    ],
    [
      "change for another address",
      quoteOf([RECEIVER_OUTPUT, PARTNER_OUTPUT, { ...CHANGE, address: THIEF }]),
      "wrong_change"
    ],
    [
      "an additional output",
      quoteOf([RECEIVER_OUTPUT, PARTNER_OUTPUT, CHANGE, { address: THIEF, value: 600n }]),
      "wrong_change"
    ],
    ["all change to the miner", quoteOf([RECEIVER_OUTPUT, PARTNER_OUTPUT]), "wrong_fee"],
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

const parentFieldsOf = (parent: HexBytes) => ({
  hasParent: false,
  change: rewritePsbt((psbt) =>
    psbt.updateInput(0, { nonWitnessUtxo: new Uint8Array(Buffer.from(parent.slice(2), "hex")) })
  )
})

describe("the amount of a UTXO that a payment spends", () => {
  const codesOfAddress = (address: BitcoinAddress, options: object) => {
    const quote = quoteOf([RECEIVER_OUTPUT, PARTNER_OUTPUT, { ...CHANGE, address }], { from: address, ...options })
    const requestFromAddress = { ...request, walletAddress: address }
    const shownQuote = {
      ...quote,
      walletAddress: address,
      bitcoin: { ...quote.bitcoin!, change: formatBtc(CHANGE.value) }
    }
    return codesOf(shownQuote as TransferQuote, requestFromAddress)
  }

  it("is proven by the transaction that created it, for every kind except P2TR", () => {
    const p2trAddress = BitcoinAddress.make(p2tr(publicKeyOf("wallet").subarray(1)).address!)
    const legacyAddress = BitcoinAddress.make("1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2")
    const nestedSegwitAddress = BitcoinAddress.make("3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy")
    for (const address of [WALLET, legacyAddress, nestedSegwitAddress]) {
      assert.deepStrictEqual(codesOfAddress(address, {}), [])
      // A segwit version 0 signature commits only to the amount of its own input (CVE-2020-14199).
      assert.deepStrictEqual(codesOfAddress(address, { hasParent: false }), ["unproven_amount"])
    }
    assert.deepStrictEqual(codesOfAddress(p2trAddress, { hasParent: false }), [])
  })

  it("is not proven by another transaction, or by one with another amount", () => {
    const otherParent = parentOf(WALLET, FUNDS, "another")
    const shiftedParent = parentOf(WALLET, FUNDS + 1n, "ab")
    for (const { bytes } of [otherParent, shiftedParent])
      assert.deepStrictEqual(codesOfAddress(WALLET, parentFieldsOf(bytes)), ["unreadable"])
    assert.deepStrictEqual(codesOfAddress(WALLET, parentFieldsOf(parentOf(WALLET, FUNDS, "ab").bytes)), [])
  })
})

describe("the miner's fee of a payment without a requested fee rate", () => {
  const { feeRate: _, ...requestWithoutFeeRate } = request
  const LARGE_AMOUNT = 10_000_000_000n
  const codesOfFee = (fee: bigint, trust: { readonly maxFee?: string } = {}) => {
    const spentValue = RECEIVER_OUTPUT.value + PARTNER_OUTPUT.value
    const quote = quoteOf([RECEIVER_OUTPUT, PARTNER_OUTPUT, { ...CHANGE, value: LARGE_AMOUNT - spentValue - fee }], {
      funds: LARGE_AMOUNT
    })
    const verification = verifyBitcoinPayment({ request: requestWithoutFeeRate, quote, trust: { now: NOW, ...trust } })
    return verification.ok ? [] : verification.problems.map(({ code }) => code)
  }

  it("is limited by the size and by the paid amount, without change", () => {
    // About 70 sat/vB for 210 virtual bytes.
    assert.deepStrictEqual(codesOfFee(15_000n), [])
    assert.deepStrictEqual(codesOfFee(100_000n), ["wrong_fee"])
    assert.deepStrictEqual(codesOfFee(LARGE_AMOUNT / 200n), ["wrong_fee"])
    assert.deepStrictEqual(codesOfFee(100_000n, { maxFee: "0.001" }), [])
    assert.deepStrictEqual(codesOfFee(15_000n, { maxFee: "0.0001" }), ["wrong_fee"])
  })

  it("may be a hundredth of a large amount", () => {
    const largeRequest = { ...requestWithoutFeeRate, amount: "50" }
    const receiverOutput = { ...RECEIVER_OUTPUT, value: 4_950_000_000n }
    const sharedOutput = { ...PARTNER_OUTPUT, value: 50_000_000n }
    const codesOfFee = (fee: bigint) =>
      codesOf(
        quoteOf([receiverOutput, sharedOutput, { ...CHANGE, value: LARGE_AMOUNT - 5_000_000_000n - fee }], {
          funds: LARGE_AMOUNT
        }),
        largeRequest
      )
    assert.deepStrictEqual(codesOfFee(50_000_000n), [])
    assert.deepStrictEqual(codesOfFee(50_000_001n), ["wrong_fee"])
  })

  it("is limited by the size if no amount leaves the wallet", () => {
    const earlierQuote = quoteOf()
    const replacementOfFee = (fee: bigint, kind: "CANCEL" | "CHILD") =>
      ({
        ...quoteOf([{ address: WALLET, value: LARGE_AMOUNT - fee }], { funds: LARGE_AMOUNT }),
        replaces: { kind, transactionId: "1" }
      }) as TransferQuote
    const parent = parentOf(WALLET, LARGE_AMOUNT, "ab").txid
    const codesAt = (fee: bigint) => {
      const verification = verifyBitcoinReplacement({
        request: { kind: "CHILD", walletAddress: WALLET, transactionHash: parent },
        quote: replacementOfFee(fee, "CHILD"),
        trust: { now: NOW }
      })
      return verification.ok ? [] : verification.problems.map(({ code }) => code)
    }
    assert.deepStrictEqual(codesAt(20_000n), [])
    assert.deepStrictEqual(codesAt(100_000n), ["wrong_fee"])
    const cancellationVerification = verifyBitcoinReplacement({
      request: { kind: "CANCEL", walletAddress: WALLET, earlier: earlierQuote },
      quote: replacementOfFee(1_000_000n, "CANCEL"),
      trust: { now: NOW }
    })
    assert.include(
      cancellationVerification.ok ? [] : cancellationVerification.problems.map(({ code }) => code),
      "wrong_fee"
    )
  })
})

describe("the verifier of a payment to several receivers", () => {
  const severalRequest: TransferRequest = {
    ...request,
    furtherReceivers: [{ toAddress: TREASURY, amount: "0.001" }]
  }
  const FURTHER_OUTPUT: PaidOutput = { address: TREASURY, value: 99_000n }
  const FEE_OUTPUT: PaidOutput = { address: PARTNER, value: 11_000n }
  const CHANGE_OUTPUT: PaidOutput = { address: WALLET, value: 398_960n }

  it("passes an honest quote", () => {
    assert.deepStrictEqual(
      codesOf(quoteOf([RECEIVER_OUTPUT, FURTHER_OUTPUT, FEE_OUTPUT, CHANGE_OUTPUT]), severalRequest),
      []
    )
    const maxQuote = quoteOf([
      { ...RECEIVER_OUTPUT, value: 1_385_010n },
      FURTHER_OUTPUT,
      { ...FEE_OUTPUT, value: 14_990n }
    ])
    assert.deepStrictEqual(codesOf(maxQuote, { ...severalRequest, amount: "MAX" }), [])
  })

  it.each<readonly [string, ReadonlyArray<PaidOutput>, BitcoinProblemCode]>([
    [
      "another further receiver",
      [RECEIVER_OUTPUT, { ...FURTHER_OUTPUT, address: THIEF }, FEE_OUTPUT, CHANGE_OUTPUT],
      "wrong_receiver"
    ],
    [
      "less for it",
      [RECEIVER_OUTPUT, { ...FURTHER_OUTPUT, value: 98_999n }, FEE_OUTPUT, { ...CHANGE_OUTPUT, value: 398_961n }],
      "wrong_amount"
    ],
    [
      "more of a fee",
      [RECEIVER_OUTPUT, FURTHER_OUTPUT, { ...FEE_OUTPUT, value: 11_001n }, CHANGE_OUTPUT],
      "wrong_amount"
    ],
    ["it missing", [RECEIVER_OUTPUT, FEE_OUTPUT, { ...CHANGE_OUTPUT, value: 497_960n }], "wrong_receiver"]
  ])("rejects %s", (_, outputs, code) => {
    assert.include(codesOf(quoteOf(outputs), severalRequest), code)
  })
})

describe("the verifier of a replacement", () => {
  const earlierQuote = quoteOf()
  const addReplacement = (kind: "BUMP" | "CANCEL" | "CHILD", quote: TransferQuote): TransferQuote => ({
    ...quote,
    replaces: { kind, transactionId: "1" }
  })
  const replacementRequestOf = (kind: "BUMP" | "CANCEL") => ({
    kind,
    walletAddress: WALLET,
    earlier: earlierQuote,
    feeRate: 12
  })
  const childRequest = {
    kind: "CHILD",
    walletAddress: WALLET,
    transactionHash: parentOf(WALLET, FUNDS, "ab").txid
  } as const
  const replacementCodesOf = (replacement: BitcoinReplacementRequest, quote: TransferQuote) => {
    const verification = verifyBitcoinReplacement({ request: replacement, quote, trust: { now: NOW } })
    return verification.ok ? [] : verification.problems.map(({ code }) => code)
  }
  const BUMPED_CHANGE: PaidOutput = { ...CHANGE, value: 498_000n }
  const RETURN_OUTPUT: PaidOutput = { address: WALLET, value: 1_498_500n }

  it("passes a bump with the same receivers, a cancellation to the wallet, and a CPFP of a deposit", () => {
    assert.deepStrictEqual(
      replacementCodesOf(
        replacementRequestOf("BUMP"),
        addReplacement("BUMP", quoteOf([RECEIVER_OUTPUT, PARTNER_OUTPUT, BUMPED_CHANGE]))
      ),
      []
    )
    assert.deepStrictEqual(
      replacementCodesOf(replacementRequestOf("CANCEL"), addReplacement("CANCEL", quoteOf([RETURN_OUTPUT]))),
      []
    )
    assert.deepStrictEqual(replacementCodesOf(childRequest, addReplacement("CHILD", quoteOf([RETURN_OUTPUT]))), [])
  })

  describe("of a payment with a fee above the requested rate or the default", () => {
    /** The fee of 30,000 satoshis is about 140 sat/vB for 210 virtual bytes. */
    const expensiveQuote = quoteOf([RECEIVER_OUTPUT, PARTNER_OUTPUT, { ...CHANGE, value: 470_000n }])
    const bumpQuoteOf = (increment: bigint) =>
      addReplacement("BUMP", quoteOf([RECEIVER_OUTPUT, PARTNER_OUTPUT, { ...CHANGE, value: 470_000n - increment }]))
    const cancelQuoteOf = (increment: bigint) =>
      addReplacement("CANCEL", quoteOf([{ address: WALLET, value: FUNDS - 30_000n - increment }]))

    it.each([
      ["with a fee rate", { feeRate: 12 }],
      ["without a fee rate", {}]
    ])("passes the earlier fee and the increment of BIP-125 %s", (_, feeRateFields) => {
      const request = { walletAddress: WALLET, earlier: expensiveQuote, ...feeRateFields }
      assert.deepStrictEqual(replacementCodesOf({ ...request, kind: "BUMP" }, bumpQuoteOf(210n)), [])
      assert.deepStrictEqual(replacementCodesOf({ ...request, kind: "CANCEL" }, cancelQuoteOf(112n)), [])
      assert.deepStrictEqual(replacementCodesOf({ ...request, kind: "BUMP" }, bumpQuoteOf(5_000n)), ["wrong_fee"])
      assert.deepStrictEqual(replacementCodesOf({ ...request, kind: "CANCEL" }, cancelQuoteOf(5_000n)), ["wrong_fee"])
    })

    it("rejects a fee above `maxFee`", () => {
      const verification = verifyBitcoinReplacement({
        request: { kind: "BUMP", walletAddress: WALLET, earlier: expensiveQuote },
        quote: bumpQuoteOf(210n),
        trust: { now: NOW, maxFee: "0.0003" }
      })
      assert.deepStrictEqual(verification.ok ? [] : verification.problems.map(({ code }) => code), ["wrong_fee"])
    })
  })

  it("passes a CPFP of a large parent if `maxFee` allows its fee", () => {
    const quote = addReplacement("CHILD", quoteOf([{ address: WALLET, value: FUNDS - 200_000n }]))
    assert.deepStrictEqual(replacementCodesOf(childRequest, quote), ["wrong_fee"])
    const trust = { now: NOW, maxFee: "0.002" }
    assert.isTrue(verifyBitcoinReplacement({ request: childRequest, quote, trust }).ok)
  })

  it.each<readonly [string, BitcoinReplacementRequest, TransferQuote, BitcoinProblemCode]>([
    [
      "another receiver",
      replacementRequestOf("BUMP"),
      addReplacement("BUMP", quoteOf([{ ...RECEIVER_OUTPUT, address: THIEF }, PARTNER_OUTPUT, BUMPED_CHANGE])),
      "wrong_receiver"
    ],
    [
      "less for a receiver",
      replacementRequestOf("BUMP"),
      addReplacement("BUMP", quoteOf([{ ...RECEIVER_OUTPUT, value: 980_000n }, PARTNER_OUTPUT, BUMPED_CHANGE])),
      "wrong_receiver"
    ],
    [
      "other UTXOs",
      replacementRequestOf("BUMP"),
      addReplacement("BUMP", quoteOf([RECEIVER_OUTPUT, PARTNER_OUTPUT, BUMPED_CHANGE], { utxo: "cd" })),
      "wrong_replacement"
    ],
    [
      "no higher fee",
      replacementRequestOf("BUMP"),
      addReplacement("BUMP", quoteOf([RECEIVER_OUTPUT, PARTNER_OUTPUT, CHANGE])),
      "wrong_fee"
    ],
    [
      "all change to the miner",
      replacementRequestOf("BUMP"),
      addReplacement("BUMP", quoteOf([RECEIVER_OUTPUT, PARTNER_OUTPUT])),
      "wrong_fee"
    ],
    [
      "a payment instead of a cancellation",
      replacementRequestOf("CANCEL"),
      addReplacement("CANCEL", quoteOf([RECEIVER_OUTPUT, BUMPED_CHANGE])),
      "wrong_receiver"
    ],
    [
      "UTXOs that pay another address",
      replacementRequestOf("CANCEL"),
      addReplacement("CANCEL", quoteOf([{ ...RETURN_OUTPUT, address: THIEF }])),
      "wrong_receiver"
    ],
    ["another kind", replacementRequestOf("CANCEL"), addReplacement("BUMP", quoteOf([RETURN_OUTPUT])), "wrong_echo"],
    [
      "UTXOs of another wallet",
      replacementRequestOf("CANCEL"),
      addReplacement("CANCEL", quoteOf([RETURN_OUTPUT], { from: THIEF })),
      "wrong_wallet"
    ],
    [
      "a child of another transaction",
      childRequest,
      addReplacement("CHILD", quoteOf([RETURN_OUTPUT], { utxo: "cd" })),
      "wrong_replacement"
    ],
    [
      "a child that pays others",
      childRequest,
      addReplacement("CHILD", quoteOf([RECEIVER_OUTPUT, BUMPED_CHANGE])),
      "wrong_receiver"
    ]
  ])("rejects %s", (_, replacement, quote, code) => {
    assert.include(replacementCodesOf(replacement, quote), code)
  })
})
