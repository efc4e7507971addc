import { randomBytes } from "node:crypto"
import { BitcoinAddress, HexBytes } from "@countersign/core/foundation/primitives"
import { Projects } from "@countersign/core/tenancy/projects"
import { BitcoinWallets } from "@countersign/core/wallets/registry"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Transaction } from "bitcoinjs-lib"
import { addressToScript } from "../../adapters/src/chains/bitcoin/readAddress.ts"
import { type EsploraEmulator, startEsploraEmulator } from "../../adapters/test/bitcoin/EsploraEmulator.ts"
import { messageSigners } from "../../adapters/test/bitcoin/messageSigners.ts"
import { waitUntil } from "../../core/test/support/until.ts"
import type { TransferQuote, TransferRequest } from "../src/client/index.ts"
import {
  type BitcoinReplacementRequest,
  verifyBitcoinPayment,
  verifyBitcoinReplacement
} from "../src/verify/bitcoin/index.ts"
import { type BitcoinOwner, registerOwner, signAndFinalize, signPsbt } from "./support/bitcoinOwner.ts"
import { assertProblems, assertRefusal } from "./support/refusals.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/**
 * Tests Bitcoin payments from the quote to the confirmations. The tests sign with another library than the service
 * uses.
 */

const TRANSFER = "/api/v1/crypto/transfer"
const BROADCAST = "/api/v1/crypto/bitcoin/broadcast"
const NATIVE_TOKEN = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
const RECEIVER = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2"
const FUNDS = 1_000_000n

let service: TestService
let esplora: EsploraEmulator

beforeAll(async () => {
  esplora = await startEsploraEmulator()
  service = await startTestService({ bitcoin: { esploraUrls: [esplora.url] } })
})
afterAll(async () => {
  await service.stop()
  esplora.stop()
})

let fundingCount = 0

/** Creates a confirmed payment to an address. */
const fund = (address: string, value = FUNDS): string => {
  fundingCount += 1
  const transaction = new Transaction()
  transaction.addInput(new Uint8Array(32), 0xffff_ffff, undefined, Uint8Array.from(Buffer.from(`coin ${fundingCount}`)))
  const script = Buffer.from(addressToScript(BitcoinAddress.make(address)).slice(2), "hex")
  transaction.addOutput(Uint8Array.from(script), value)
  return esplora.chain.add(transaction, esplora.state.height - 200)
}

/** Registers a wallet with one UTXO. */
const createOwner = async (addressType = 2, value = FUNDS): Promise<BitcoinOwner> => {
  const createdOwner = await registerOwner(service, new Uint8Array(randomBytes(32)), addressType)
  fund(createdOwner.address, value)
  return createdOwner
}

const requestOf = (owner: BitcoinOwner, changes: Record<string, unknown>): TransferRequest => ({
  walletAddress: owner.address,
  chainId: 0,
  token: NATIVE_TOKEN,
  amount: "0.005",
  toAddress: RECEIVER,
  gasFeePaymentMethod: "ADD_TO_AMOUNT",
  payGasFeeToken: NATIVE_TOKEN,
  feeRate: 5,
  ...changes
})

const requestTransfer = (owner: BitcoinOwner, changes: Record<string, unknown> = {}) =>
  service.request("POST", TRANSFER, requestOf(owner, changes))

const requestQuote = async (owner: BitcoinOwner, changes: Record<string, unknown> = {}) => {
  const { body, status } = await requestTransfer(owner, changes)
  assert.strictEqual(status, 200, JSON.stringify(body))
  if (body.transfer.revertReason === undefined) {
    // Uses a time before the quote's expiration, because the tests have advanced the service's clock.
    const now = Date.parse(body.transfer.expiresAt) / 1_000 - 30
    const verification = verifyBitcoinPayment({
      request: requestOf(owner, changes),
      quote: body.transfer,
      trust: { now }
    })
    assert.deepStrictEqual(verification.ok ? [] : verification.problems, [])
  }
  return body.transfer
}

const broadcast = (quoteId: string, signedTransactionHex: string) =>
  service.request("POST", BROADCAST, { quoteId, signedTransactionHex })

const historyOf = async ({ address }: BitcoinOwner) =>
  (await service.request("GET", `/api/v1/wallets/${address}/history`)).body.transactions

const waitForNewest = (owner: BitcoinOwner, isExpected: (transaction: Record<string, unknown>) => boolean) =>
  waitUntil(
    async () => (await historyOf(owner))[0],
    (transaction) => transaction !== undefined && isExpected(transaction)
  )

describe("a Bitcoin payment", () => {
  it.each([0, 1, 2, 3])("is quoted, signed, broadcast and confirmed: address type %i", async (addressType) => {
    const from = await createOwner(addressType)
    const transfer = await requestQuote(from)
    const [element] = transfer.signData
    assert.deepStrictEqual(
      [element.type, element.method, element.hash],
      ["BITCOIN_TRANSACTION", "sign_psbt", transfer.quoteId]
    )
    assert.strictEqual(Buffer.from(element.psbtBase64, "base64").toString("hex"), element.psbt.slice(2))
    const [networkFee] = transfer.fees
    assert.strictEqual(networkFee.type, "NETWORK")
    assert.strictEqual(transfer.bitcoin.fee, networkFee.amount)
    const { gasFeeTokenAmount, maxGasFeeNative, maxGasFeeToken } = transfer.estimatedGasFees
    assert.deepStrictEqual([gasFeeTokenAmount, maxGasFeeNative, maxGasFeeToken], Array(3).fill(transfer.bitcoin.fee))
    assert.deepStrictEqual(transfer.warnings, [])
    assert.deepStrictEqual(transfer.bitcoin.outputs[0], { address: RECEIVER, amount: "0.005", role: "RECEIVER" })

    const bytes = signAndFinalize(from, element.psbt)
    const { body, status } = await broadcast(transfer.quoteId, bytes)
    assert.strictEqual(status, 200, JSON.stringify(body))
    const txid = Transaction.fromHex(bytes).getId()
    assert.deepInclude(body, { quoteId: transfer.quoteId, transactionHash: `0x${txid}` })
    const { transaction } = esplora.chain.entry(txid)!
    assert.isAtLeast(esplora.chain.fee(transaction) / transaction.virtualSize(), 5)
    assert.deepStrictEqual((await broadcast(transfer.quoteId, bytes)).body, body)

    await waitForNewest(from, ({ substatus }) => substatus === "BROADCAST")
    esplora.chain.mine(txid, esplora.state.height)
    await service.advanceClock(30)
    await waitForNewest(from, ({ substatus }) => substatus === "INCLUDED")
    esplora.state.height += 5
    await service.advanceClock(30)
    const completedPayment = await waitForNewest(from, (one) => one.status === "COMPLETED")
    const [leg] = completedPayment.legs as ReadonlyArray<Record<string, unknown>>
    assert.deepInclude(leg, { state: "FINAL", confirmations: 6 })
    assert.strictEqual(completedPayment.id, body.transactionId)
    assert.strictEqual((completedPayment.transactionHash as Record<string, unknown>).hash, `0x${txid}`)
    assert.lengthOf(completedPayment.movements as ReadonlyArray<unknown>, 2)
  })

  it("is quoted with the transactions that created its UTXOs, or refused without them", async () => {
    const [p2wpkh, p2tr] = [await createOwner(2), await createOwner(3)]
    esplora.state.servesBytes = false
    const { body, status } = await requestTransfer(p2wpkh)
    const responseWithoutBytes = await requestTransfer(p2tr)
    esplora.state.servesBytes = true
    assert.strictEqual(status, 502)
    assert.match(body.message, /did not find transaction 0x[\da-f]{64}/u)
    // The quote omits the previous transactions, because a P2TR signature commits to all input amounts.
    assert.strictEqual(responseWithoutBytes.status, 200)
    await requestQuote(p2wpkh)
  })

  it("is accepted as a PSBT too, by the general execute endpoint", async () => {
    const from = await createOwner(3)
    const transfer = await requestQuote(from)
    const psbt = Buffer.from(signPsbt(from, transfer.signData[0].psbt).toPSBT()).toString("hex")
    const { body, status } = await service.request("POST", "/api/v1/crypto/execute", {
      quoteId: transfer.quoteId,
      signatures: { [transfer.quoteId]: psbt }
    })
    assert.strictEqual(status, 200, JSON.stringify(body))
    await waitForNewest(from, ({ substatus }) => substatus === "BROADCAST")
    assert.isDefined(esplora.chain.entry(transfer.quoteId.slice(2)))
  })

  it("sends the whole balance, deducts the fee from the amount, and pays an extra fee", async () => {
    const from = await createOwner()
    fund(from.address, 20_000n)
    const maxQuote = await requestQuote(from, { amount: "MAX" })
    assert.lengthOf(maxQuote.bitcoin.inputs, 2)
    assert.strictEqual(maxQuote.bitcoin.change, "0")
    const deductedQuote = await requestQuote(await createOwner(), { gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT" })
    const paidTotal = Number(deductedQuote.bitcoin.outputs[0].amount) + Number(deductedQuote.bitcoin.fee)
    assert.approximately(paidTotal, 0.005, 1e-9)
    const receiver = (await createOwner(3)).address
    const sharedQuote = await requestQuote(await createOwner(), { extraFee: { percentage: 10, toAddress: receiver } })
    assert.deepStrictEqual(sharedQuote.bitcoin.outputs.slice(0, 2), [
      { address: RECEIVER, amount: "0.0045", role: "RECEIVER" },
      { address: receiver, amount: "0.0005", role: "EXTRA_FEE" }
    ])
  })

  it("is a different transaction for each quote, and pays the same", async () => {
    for (const changes of [{ amount: "MAX" }, { amount: "0.005" }, { feeRate: 1, amount: "MAX" }]) {
      const from = await createOwner()
      const sequential = [
        await requestQuote(from, changes),
        await requestQuote(from, changes),
        await requestQuote(from, changes)
      ]
      const concurrent = await Promise.all(Array.from({ length: 6 }, () => requestQuote(from, changes)))
      const allQuotes = [...sequential, ...concurrent]
      assert.strictEqual(new Set(allQuotes.map(({ quoteId }) => quoteId)).size, allQuotes.length)
      for (const { bitcoin, fees } of allQuotes) {
        assert.deepStrictEqual(bitcoin.outputs, allQuotes[0].bitcoin.outputs)
        assert.deepStrictEqual(fees, allQuotes[0].fees)
      }
      const lastQuote = allQuotes.at(-1)
      const { body, status } = await broadcast(lastQuote.quoteId, signAndFinalize(from, lastQuote.signData[0].psbt))
      assert.strictEqual(status, 200, JSON.stringify(body))
    }
  })

  it("has the current height as its lock time", async () => {
    const from = await createOwner()
    const lockTimes = [await requestQuote(from), await requestQuote(from)].map(
      ({ signData: [{ psbt }] }) => signPsbt(from, psbt).lockTime
    )
    assert.deepStrictEqual(lockTimes, [esplora.state.height - 1, esplora.state.height])
  })

  it("pays less than one satoshi per vbyte if the nodes relay transactions at that rate", async () => {
    const from = await createOwner()
    assertProblems(await requestTransfer(from, { feeRate: 0.1 }), ["body.feeRate", /from 1, the lowest/u])
    esplora.state.preciseFees = '{"minimumFee":0.1}'
    esplora.chain.relayRate = 0.1
    await service.advanceClock(61)
    assertProblems(await requestTransfer(from, { feeRate: 0.09 }), ["body.feeRate", /from 0\.1, the lowest/u])
    for (const feeRate of [0.1, 0.2, 0.9]) {
      const { bitcoin } = await requestQuote(from, { feeRate })
      const fee = Math.round(Number(bitcoin.fee) * 1e8)
      assert.isTrue(
        fee >= feeRate * bitcoin.virtualSize && fee < feeRate * bitcoin.virtualSize + 1,
        `${fee} ${feeRate}`
      )
    }
    const { quoteId, signData } = await requestQuote(from, { feeRate: 0.1 })
    const { body, status } = await broadcast(quoteId, signAndFinalize(from, signData[0].psbt))
    esplora.state.preciseFees = null
    esplora.chain.relayRate = 1
    await service.advanceClock(61)
    assert.strictEqual(status, 200, JSON.stringify(body))
  })

  it("pays several receivers in one transaction, with fees on each amount", async () => {
    const [from, second, partner] = [await createOwner(), await createOwner(3), await createOwner(2)]
    const request = {
      furtherReceivers: [
        { toAddress: second.address, amount: "0.001" },
        { toAddress: RECEIVER, amount: "0.0002" }
      ],
      extraFee: { percentage: 10, toAddress: partner.address }
    }
    const paidOutputs = [
      [RECEIVER, "0.0045"],
      [second.address, "0.0009"],
      [RECEIVER, "0.00018"],
      [partner.address, "0.00062"]
    ]
    const outputsOf = ({
      bitcoin
    }: {
      readonly bitcoin: { readonly outputs: ReadonlyArray<Record<string, string>> }
    }) => bitcoin.outputs.map(({ address, amount }) => [address, amount])
    const transfer = await requestQuote(from, request)
    assert.deepStrictEqual(outputsOf(transfer).slice(0, 4), paidOutputs as Array<Array<string>>)
    assert.strictEqual(transfer.amount, "0.0062")
    // The first receiver gets the complete remaining balance. The fees are computed from this amount too.
    const maxQuote = await requestQuote(await createOwner(), { ...request, amount: "MAX" })
    assert.deepStrictEqual(outputsOf(maxQuote).slice(1, 3), paidOutputs.slice(1, 3) as Array<Array<string>>)
    assert.strictEqual(maxQuote.bitcoin.change, "0")
    assert.strictEqual(
      (await broadcast(transfer.quoteId, signAndFinalize(from, transfer.signData[0].psbt))).status,
      200
    )
    const { movements } = await waitForNewest(from, ({ substatus }) => substatus === "BROADCAST")
    assert.deepStrictEqual(movements, [])
    esplora.chain.mine(transfer.quoteId.slice(2), esplora.state.height)
    await service.advanceClock(30)
    const includedPayment = await waitForNewest(from, ({ substatus }) => substatus === "INCLUDED")
    const principal = (includedPayment.movements as ReadonlyArray<Record<string, string>>).filter(
      ({ role }) => role === "PRINCIPAL"
    )
    assert.deepStrictEqual(
      principal.map(({ amount, counterparty }) => [counterparty, amount]),
      paidOutputs.slice(0, 3)
    )
  })

  it("pays the project's fee to its Bitcoin treasury, if it has one", async () => {
    const quoteWithWarning = await requestQuote(await createOwner(), { transactionFeePercent: 2 })
    assert.match(quoteWithWarning.warnings.join(), /no Bitcoin treasury/u)
    const treasury = (await createOwner(2)).address
    const setTreasury = (bitcoinTreasury: BitcoinAddress | null) =>
      service.run(Projects.use((projects) => projects.update(service.project.id, { bitcoinTreasury })))
    await setTreasury(BitcoinAddress.make(treasury))
    const from = await createOwner()
    const partner = (await createOwner(3)).address
    const request = { transactionFeePercent: 2, extraFee: { percentage: 10, toAddress: partner } }
    const transfer = await requestQuote(from, request)
    assert.deepStrictEqual(transfer.bitcoin.outputs.slice(0, 3), [
      { address: RECEIVER, amount: "0.0044", role: "RECEIVER" },
      { address: treasury, amount: "0.0001", role: "SERVICE_FEE" },
      { address: partner, amount: "0.0005", role: "EXTRA_FEE" }
    ])
    const shownFees = transfer.fees.map(({ amount, percentage, toAddress, type }: Record<string, unknown>) => [
      type,
      amount,
      toAddress,
      percentage
    ])
    assert.deepStrictEqual(shownFees.slice(1), [
      ["SERVICE", "0.0001", treasury, "2"],
      ["EXTRA", "0.0005", partner, "10"]
    ])
    assert.notMatch(transfer.warnings.join(), /treasury/u)
    const dustResponse = await service.request("POST", "/api/v1/crypto/transfer", {
      walletAddress: from.address,
      chainId: 0,
      token: NATIVE_TOKEN,
      amount: "0.0005",
      toAddress: RECEIVER,
      gasFeePaymentMethod: "ADD_TO_AMOUNT",
      payGasFeeToken: NATIVE_TOKEN,
      transactionFeePercent: 0.1
    })
    assert.strictEqual(dustResponse.status, 400)
    assert.match(dustResponse.body.message, /treasury would get .* The minimum amount is 0\.00\d+ BTC/u)
    await setTreasury(null)
  })

  it("avoids UTXOs of an open quote if others suffice", async () => {
    const from = await createOwner()
    fund(from.address)
    const [first, second] = [await requestQuote(from), await requestQuote(from)]
    assert.notDeepEqual(first.bitcoin.inputs, second.bitcoin.inputs)
    // The third quote spends the same UTXO as an earlier quote in a different transaction.
    const thirdQuote = await requestQuote(from)
    assert.strictEqual(new Set([first.quoteId, second.quoteId, thirdQuote.quoteId]).size, 3)
  })

  it("is rejected if it would replace an accepted payment that spends the same UTXO", async () => {
    const from = await createOwner()
    const acceptedQuote = await requestQuote(from)
    const otherQuote = await requestQuote(from, { feeRate: 50 })
    const bytes = signAndFinalize(from, acceptedQuote.signData[0].psbt)
    assert.strictEqual((await broadcast(acceptedQuote.quoteId, bytes)).status, 200)
    const refusal = await broadcast(otherQuote.quoteId, signAndFinalize(from, otherQuote.signData[0].psbt))
    assertRefusal(refusal, 409, "QUOTE_STALE")
    assert.match(refusal.body.message, /another pending payment of the wallet.*Request a new quote/u)
    assert.isDefined(esplora.chain.entry(Transaction.fromHex(bytes).getId()))
    assert.lengthOf(await historyOf(from), 1)
  })

  it("states the missing amount if the balance is too low, and contains nothing to sign", async () => {
    const transfer = await requestQuote(await createOwner(2, 100_000n))
    assert.match(transfer.revertReason.decoded, /can spend 0.001 BTC now, and lacks 0.004\d+ BTC/u)
    assert.deepStrictEqual(transfer.signData, [])
    assertRefusal(await broadcast(transfer.quoteId, "00"), 404, "BITCOIN_QUOTE_NOT_FOUND")
  })
})

describe("a broadcast while no Esplora server responds", () => {
  it("fails with the broadcast's own error, stores nothing, and can be repeated", async () => {
    const from = await createOwner()
    const transfer = await requestQuote(from)
    const bytes = signAndFinalize(from, transfer.signData[0].psbt)
    esplora.state.fault = { _tag: "Status", status: 503 }
    const refusal = await broadcast(transfer.quoteId, bytes)
    esplora.state.fault = null
    assertRefusal(refusal, 500, "FAILED_TO_BROADCAST_TRANSACTION_EXCEPTION", /503.*has not stored it/u)
    assert.deepStrictEqual(await historyOf(from), [])
    await service.advanceClock(30)
    assert.strictEqual((await broadcast(transfer.quoteId, bytes)).status, 200)
  })
})

describe("an invalid payment", () => {
  it.each([
    ["a wrong checksum", { toAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5" }, "body.toAddress", /checksum/u],
    ["an anchor", { toAddress: "bc1pfeessrawgf" }, "body.toAddress", /anchor/u],
    ["an address of another chain", { toAddress: `0x${"11".repeat(20)}` }, "body.toAddress", /./u],
    ["dust", { amount: "0.000005" }, "body.amount", /minimum amount is 0.00000546 BTC/u],
    ["nine decimals", { amount: "0.000000001" }, "body.amount", /8 decimals/u],
    [
      "dust for a further receiver",
      { furtherReceivers: [{ toAddress: RECEIVER, amount: "0.000005" }] },
      "body.furtherReceivers.0.amount",
      /minimum amount is 0.00000546 BTC/u
    ],
    [
      "a further receiver with a wrong checksum",
      { furtherReceivers: [{ toAddress: "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", amount: "0.001" }] },
      "body.furtherReceivers.0.toAddress",
      /checksum/u
    ],
    ["a fee rate of zero", { feeRate: 0 }, "body.feeRate", /from 1, the lowest .* to 1000 sat/u],
    ["a fee rate of 10,000", { feeRate: 10_000 }, "body.feeRate", /from 1, the lowest .* to 1000 sat/u],
    [
      "an extra fee of dust",
      { extraFee: { percentage: 0.01, toAddress: RECEIVER } },
      "body.extraFee",
      /minimum amount is 0.0546 BTC/u
    ],
    [
      "an extra fee of a tiny percentage",
      { extraFee: { percentage: 0.0000001, toAddress: RECEIVER } },
      "body.extraFee",
      /minimum amount is 5460 BTC/u
    ],
    [
      "an extra fee with too many decimals",
      { extraFee: { percentage: 1e-300, toAddress: RECEIVER } },
      "body.extraFee.percentage",
      /at most 40 decimals/u
    ],
    [
      "fees of more than the amount",
      { transactionFeePercent: 60, extraFee: { percentage: 60, toAddress: RECEIVER } },
      "body.extraFee",
      /less than 100 %/u
    ]
  ] as const)("is rejected: %s", async (_, changes, path, message) => {
    assertProblems(await requestTransfer(await createOwner(), changes), [path, message])
  })

  it("is rejected with all its problems", async () => {
    const owner = await createOwner()
    const furtherReceiversOf = (amount: string) => ({ furtherReceivers: [{ toAddress: RECEIVER, amount }] })
    assertProblems(
      await requestTransfer(owner, {
        amount: "0.000000001",
        ...furtherReceiversOf("0"),
        transactionFeePercent: 50,
        extraFee: { percentage: 50, toAddress: RECEIVER }
      }),
      ["body.amount", /8 decimals/u],
      ["body.furtherReceivers.0.amount", /above zero/u],
      ["body.extraFee", /less than 100 %/u]
    )
    assertProblems(
      await requestTransfer(owner, { amount: "0.000005", ...furtherReceiversOf("0.000005") }),
      ["body.amount", /minimum amount/u],
      ["body.furtherReceivers.0.amount", /minimum amount/u]
    )
  })

  it("is rejected if the gas token is not BTC", async () => {
    const usdc = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
    const refusal = await requestTransfer(await createOwner(), { payGasFeeToken: usdc })
    assertRefusal(refusal, 400, "NOT_AUTHORIZED_TOKENS", /payGasFeeToken/u)
  })

  it("is rejected from an address that one key cannot spend from", async () => {
    const address = "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3"
    await service.run(
      BitcoinWallets.use((wallets) =>
        wallets.attach(service.project.id, { address, publicKey: null, derivation: null, metadata: {} })
      )
    )
    const response = await requestTransfer({ address, kind: "P2WPKH", key: new Uint8Array(32) })
    assertProblems(response, ["body.walletAddress", /only watches the address/u])
  })
})

describe("a wallet whose public key is unknown", () => {
  const attach = async (addressType: number, publicKey: string | null = null) => {
    const key = new Uint8Array(randomBytes(32))
    const signer = messageSigners(key)[addressType]!
    const { address } = signer
    const attachment = {
      address,
      publicKey: publicKey === null ? null : HexBytes.make(signer.publicKey),
      derivation: null,
      metadata: {}
    }
    await service.run(BitcoinWallets.use((wallets) => wallets.attach(service.project.id, attachment)))
    fund(address)
    return { signer, from: { address, kind: signer.kind, key } }
  }

  it("gets a warning with each P2TR PSBT, until it is registered with its key", async () => {
    const { from, signer } = await attach(3)
    const quoteBefore = await requestQuote(from)
    assert.lengthOf(quoteBefore.warnings, 1)
    assert.match(quoteBefore.warnings[0], /and `publicKey`/u)
    assert.throws(() => signAndFinalize(from, quoteBefore.signData[0].psbt))
    await registerOwner(service, from.key, 3)
    const quoteAfter = await requestQuote(from, { amount: "0.001" })
    assert.deepStrictEqual(quoteAfter.warnings, [])
    const { status } = await broadcast(quoteAfter.quoteId, signAndFinalize(from, quoteAfter.signData[0].psbt))
    assert.strictEqual(status, 200)
    assert.strictEqual(signer.address, from.address)
  })

  it("cannot pay from P2SH, until a proof or the key reveals the script", async () => {
    const { from } = await attach(1)
    assertProblems(await requestTransfer(from), ["body.walletAddress", /with a proof or a `publicKey`/u])
    await registerOwner(service, from.key, 1)
    const provenQuote = await requestQuote(from)
    assert.strictEqual(
      (await broadcast(provenQuote.quoteId, signAndFinalize(from, provenQuote.signData[0].psbt))).status,
      200
    )
    const { from: ownerWithKey } = await attach(1, "given")
    const transfer = await requestQuote(ownerWithKey)
    assert.strictEqual(
      (await broadcast(transfer.quoteId, signAndFinalize(ownerWithKey, transfer.signData[0].psbt))).status,
      200
    )
  })
})

describe("a signed transaction that differs from the quoted one", () => {
  const changeTransaction = (from: BitcoinOwner, psbt: string, change: (transaction: Transaction) => void): string => {
    const transaction = Transaction.fromHex(signAndFinalize(from, psbt))
    change(transaction)
    return transaction.toHex()
  }

  it("is rejected with a specific error, and is not broadcast", async () => {
    const from = await createOwner()
    const otherSigner = { ...from, key: new Uint8Array(randomBytes(32)) }
    const { quoteId, signData } = await requestQuote(from)
    const { psbt } = signData[0]
    const otherQuote = await requestQuote(await createOwner())
    const cases: ReadonlyArray<readonly [string, RegExp]> = [
      ["0x1234", /neither a transaction nor a PSBT/u],
      [signAndFinalize(from, psbt).concat("00"), /neither a transaction nor a PSBT|is not canonical/u],
      [otherQuote.signData[0].psbt, /not signed|no complete signature|differs from the quoted transaction/u],
      [psbt, /no complete signature/u],
      [
        changeTransaction(from, psbt, (one) => void one.addOutput(one.outs[0]!.script, 1_000n)),
        /differs from the quoted transaction/u
      ],
      [
        changeTransaction(from, psbt, (one) => void Object.assign(one.ins[0]!, { sequence: 0 })),
        /differs from the quoted transaction/u
      ],
      [
        changeTransaction(from, psbt, (one) => void Object.assign(one, { locktime: 1 })),
        /differs from the quoted transaction/u
      ],
      [changeTransaction(from, psbt, (one) => void Object.assign(one.ins[0]!, { witness: [] })), /no signature/u],
      [changeTransaction(from, psbt, (one) => void one.ins[0]!.witness.push(new Uint8Array(100))), /not canonical/u]
    ]
    const broadcastCountBefore = esplora.paths.filter((path) => path === "/tx").length
    for (const [bytes, message] of cases) {
      assertRefusal(await broadcast(quoteId, bytes), 400, "INVALID_SIGNATURE", message)
    }
    assert.throws(() => signAndFinalize(otherSigner, psbt))
    assert.strictEqual(esplora.paths.filter((path) => path === "/tx").length, broadcastCountBefore)
    assert.deepStrictEqual(await historyOf(from), [])
  })

  it("is rejected for an unknown or expired quote, and for a quote of another project", async () => {
    const from = await createOwner()
    const { quoteId, signData } = await requestQuote(from)
    const bytes = signAndFinalize(from, signData[0].psbt)
    assertRefusal(await broadcast(`0x${"12".repeat(32)}`, bytes), 404, "BITCOIN_QUOTE_NOT_FOUND")
    const { apiKey } = await service.newProject(null)
    const broadcastBody = { quoteId, signedTransactionHex: bytes }
    assertRefusal(
      await service.request("POST", BROADCAST, broadcastBody, { "x-api-key": apiKey }),
      404,
      "BITCOIN_QUOTE_NOT_FOUND"
    )
    await service.advanceClock(3_600)
    assertRefusal(await broadcast(quoteId, bytes), 400, "EXPIRED_BITCOIN_QUOTE")
    assert.isUndefined(esplora.chain.entry(quoteId.slice(2)))
  })

  it("is rejected with the node's reason, and can be broadcast again", async () => {
    const from = await createOwner()
    const { quoteId, signData } = await requestQuote(from)
    const bytes = signAndFinalize(from, signData[0].psbt)
    const originalTake = esplora.chain.take.bind(esplora.chain)
    esplora.chain.take = () => ({ code: -26, message: "mempool min fee not met, 100 < 200" })
    assertRefusal(
      await broadcast(quoteId, bytes),
      500,
      "FAILED_TO_BROADCAST_TRANSACTION_EXCEPTION",
      /mempool min fee not met.*The service has stored it and retries/u
    )
    esplora.chain.take = originalTake
    await service.advanceClock(15)
    await waitForNewest(from, ({ substatus }) => substatus === "BROADCAST")
    assert.strictEqual((await broadcast(quoteId, bytes)).status, 200)
  })
})

describe("an unconfirmed payment", () => {
  const sendPayment = async (from: BitcoinOwner, changes: Record<string, unknown> = {}) => {
    const earlierQuote = await requestQuote(from, changes)
    const { quoteId, signData } = earlierQuote
    assert.strictEqual((await broadcast(quoteId, signAndFinalize(from, signData[0].psbt))).status, 200)
    const { id } = await waitForNewest(from, ({ substatus }) => substatus === "BROADCAST")
    return { id: String(id), quoteId: String(quoteId), earlier: earlierQuote }
  }

  const assertVerified = (quote: TransferQuote, request: BitcoinReplacementRequest) => {
    const now = Date.parse(quote.expiresAt) / 1_000 - 30
    const verification = verifyBitcoinReplacement({ request, quote, trust: { now } })
    assert.deepStrictEqual(verification.ok ? [] : verification.problems, [])
  }

  it.each(["bump", "cancel"])("is replaced: %s", async (action) => {
    const from = await createOwner()
    const { earlier, id, quoteId } = await sendPayment(from)
    const path = `/api/v1/crypto/bitcoin/${id}/${action}`
    const { apiKey } = await service.newProject(null)
    const otherProjectResponse = await service.request("POST", path, { feeRate: 20 }, { "x-api-key": apiKey })
    assertRefusal(otherProjectResponse, 404, "TRANSACTION_NOT_FOUND")
    assertProblems(await service.request("POST", path, { feeRate: 5 }), ["body.feeRate", /Set a higher/u])
    const { body, status } = await service.request("POST", path, { feeRate: 20 })
    assert.strictEqual(status, 200, JSON.stringify(body))
    const { bitcoin, quoteId: replacementId, replaces, signData } = body.transfer
    const kind = action === "bump" ? "BUMP" : "CANCEL"
    assert.deepStrictEqual(replaces, { kind, transactionId: id })
    assertVerified(body.transfer, { kind, walletAddress: from.address, earlier, feeRate: 20 })
    const roles = bitcoin.outputs.map(({ role }: { readonly role: string }) => role)
    assert.deepStrictEqual(roles, action === "bump" ? ["RECEIVER", "CHANGE"] : ["CHANGE"])
    const response = await broadcast(replacementId, signAndFinalize(from, signData[0].psbt))
    assert.strictEqual(response.status, 200, JSON.stringify(response.body))
    assert.isUndefined(esplora.chain.entry(quoteId.slice(2)))
    await service.advanceClock(30)
    await waitForNewest(from, ({ substatus }) => substatus === "BROADCAST")
    esplora.chain.mine(replacementId.slice(2), esplora.state.height)
    esplora.state.height += 5
    await service.advanceClock(30)
    await waitForNewest(from, ({ status: currentStatus }) => currentStatus === "COMPLETED")
    const endedTransaction = await waitUntil(
      async () => {
        await service.advanceClock(30)
        return (await historyOf(from)).find((one: { readonly id: string }) => one.id === id)
      },
      ({ status: currentStatus }) => currentStatus === "CANCELLED"
    )
    assert.deepStrictEqual(endedTransaction.movements, [])
    const [replacement] = await historyOf(from)
    assert.deepStrictEqual(replacement.bitcoin, { replaces: { kind, transactionId: id }, replacedBy: null })
    assert.deepStrictEqual(endedTransaction.bitcoin, { replaces: null, replacedBy: replacement.id })
    assertProblems(await service.request("POST", path, { feeRate: 40 }), [
      "path.transactionId",
      /Its status is already CANCELLED/u
    ])
  })

  it("is replaced at a higher rate even if the estimates have fallen and no rate is requested", async () => {
    const from = await createOwner()
    const { earlier, id } = await sendPayment(from, { feeRate: 300 })
    const { body, status } = await service.request("POST", `/api/v1/crypto/bitcoin/${id}/bump`, {})
    assert.strictEqual(status, 200, JSON.stringify(body))
    const { bitcoin } = body.transfer
    assert.isAbove(bitcoin.feeRate, 300)
    assert.isAbove(Number(bitcoin.fee), Number(earlier.bitcoin.fee))
    assertVerified(body.transfer, { kind: "BUMP", walletAddress: from.address, earlier })
  })

  it("is not replaced once another payment of the wallet spends its change", async () => {
    const from = await createOwner()
    const firstPayment = await sendPayment(from, { amount: "0.002" })
    const secondPayment = await sendPayment(from, { amount: "0.002", spendUnconfirmedChange: true })
    assert.isTrue(
      secondPayment.earlier.bitcoin.inputs.some(({ txid }: { readonly txid: string }) => txid === firstPayment.quoteId),
      "the change is spent"
    )
    for (const action of ["bump", "cancel"]) {
      assertProblems(
        await service.request("POST", `/api/v1/crypto/bitcoin/${firstPayment.id}/${action}`, { feeRate: 40 }),
        ["path.transactionId", /Another payment of the wallet spends the change of this payment/u]
      )
    }
    const { status } = await service.request("POST", `/api/v1/crypto/bitcoin/${secondPayment.id}/bump`, { feeRate: 40 })
    assert.strictEqual(status, 200)
  })

  it.each(["bump", "cancel"])(
    "is not replaced once a block contains it, before or after the quote: %s",
    async (action) => {
      const from = await createOwner()
      fund(from.address)
      const { id, quoteId } = await sendPayment(from)
      const path = `/api/v1/crypto/bitcoin/${id}/${action}`
      const { body, status } = await service.request("POST", path, { feeRate: 20 })
      assert.strictEqual(status, 200, JSON.stringify(body))
      const { quoteId: replacementId, signData } = body.transfer
      // The original payment is confirmed instead of the replacement.
      const txid = String(quoteId).slice(2)
      esplora.chain.mine(txid, esplora.state.height)
      const inBlockPattern = new RegExp(`Transaction 0x${txid} is already in block ${esplora.state.height}`, "u")
      const historyBefore = await historyOf(from)
      const refusals = [
        await broadcast(replacementId, signAndFinalize(from, signData[0].psbt)),
        await service.request("POST", "/api/v1/crypto/execute", {
          quoteId: replacementId,
          signatures: { [replacementId]: signAndFinalize(from, signData[0].psbt) }
        }),
        await service.request("POST", path, { feeRate: 40 })
      ]
      for (const refusal of refusals) assertRefusal(refusal, 409, "TRANSACTION_IN_BLOCK", inBlockPattern)
      assert.deepStrictEqual(
        (await historyOf(from)).map((one: { readonly id: string }) => one.id),
        historyBefore.map((one: { readonly id: string }) => one.id)
      )
      await service.advanceClock(30)
      await waitForNewest(from, ({ substatus }) => substatus === "INCLUDED")
      assertRefusal(await service.request("POST", path, {}), 409, "TRANSACTION_IN_BLOCK", inBlockPattern)
    }
  )
})
