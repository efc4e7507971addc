import { randomBytes } from "node:crypto"
import { BitcoinAddress, HexBytes } from "@countersign/core/foundation/primitives"
import { type BitcoinAttachment, BitcoinWallets } from "@countersign/core/wallets/registry"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { addressToScript } from "../../adapters/src/chains/bitcoin/readAddress.ts"
import { type EsploraEmulator, startEsploraEmulator } from "../../adapters/test/bitcoin/EsploraEmulator.ts"
import { type MessageSigner, messageSigners } from "../../adapters/test/bitcoin/messageSigners.ts"
import { createClient } from "../src/client/index.ts"
import { assertProblems, assertRefusal } from "./support/refusals.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests Bitcoin addresses as wallets: proven by their owners, or attached by an operator. */

const WALLETS = "/api/v1/wallets"
const REGISTER = `${WALLETS}/register`
const MULTISIG = "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3"

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

const attachmentOf = (address: string) => ({ address, publicKey: null, derivation: null, metadata: {} })

const signersOfNewKey = () => messageSigners(new Uint8Array(randomBytes(32)))

const messageFor = async (address: string, headers: Record<string, string> = {}): Promise<string> => {
  const path = `${WALLETS}/bitcoin/proof-message?address=${address}`
  return (await service.request("GET", path, undefined, headers)).body.message
}

const register = (body: object, headers: Record<string, string> = {}) =>
  service.request("POST", REGISTER, body, headers)

/**
 * Registers an address with its owner's signature. For the legacy format the signer returns one signature per possible
 * key.
 */
const registerSigned = async ({ address, sign }: MessageSigner, metadata: Record<string, string> = {}) => {
  const message = await messageFor(address)
  for (const signature of sign(message)) {
    const response = await register({ address, proof: { message, signature }, metadata })
    if (response.status === 201) return response
  }
  throw new Error(`No signature of ${address} was taken`)
}

describe("a Bitcoin address with a proof of its owner", () => {
  it.each([0, 1, 2, 3])(
    "is registered once, and is a wallet in every endpoint: address type %i",
    async (addressType) => {
      const signer = signersOfNewKey()[addressType]!
      const { address } = signer
      const { body } = await registerSigned(signer, { customer: "7" })
      const { lastTransactionAt, registeredAt, ...wallet } = body.wallet
      assert.deepStrictEqual(wallet, {
        metadata: { customer: "7" },
        walletAddress: address,
        externallyOwnedAccount: null,
        factory: null,
        implementation: null,
        eip7702: false,
        deployed: [],
        salt: null,
        ownership: "PROVEN",
        // A proof contains the public key, except for a P2TR address.
        publicKey: addressType === 3 ? null : signer.publicKey,
        derivation: null
      })
      assert.isString(registeredAt)
      assert.isNull(lastTransactionAt)
      assert.deepStrictEqual((await service.request("GET", `${WALLETS}/${address}`)).body, body)
      const { body: walletList } = await service.request("GET", WALLETS)
      assert.deepInclude(walletList.wallets, body.wallet)
      const { body: history } = await service.request("GET", `${WALLETS}/${address}/history`)
      assert.deepStrictEqual(history.transactions, [])
      const patchResponse = await service.request("PATCH", `${WALLETS}/${address}/metadata`, { metadata: { a: "b" } })
      assert.deepStrictEqual(patchResponse.body.wallet.metadata, { a: "b" })
      await registerSigned(signer).then(
        () => assert.fail("registered twice"),
        () => undefined
      )
    }
  )

  it("is rejected a second time with WALLET_ALREADY_REGISTERED", async () => {
    const [, , signer] = signersOfNewKey()
    const message = await messageFor(signer!.address)
    const body = { address: signer!.address, proof: { message, signature: signer!.sign(message)[0] } }
    assert.strictEqual((await register(body)).status, 201)
    assertRefusal(await register(body), 400, "WALLET_ALREADY_REGISTERED")
  })

  it("is registered by the client, which requests the signature of the message", async () => {
    const [, , , { address, sign }] = signersOfNewKey() as [unknown, unknown, unknown, MessageSigner]
    const client = createClient({ url: service.baseUrl, apiKey: service.apiKey })
    const wallet = await client.wallets.registerBitcoin({ address, signMessage: (message) => sign(message)[0]! })
    assert.strictEqual(wallet.ownership, "PROVEN")
    assert.strictEqual((await client.wallets.get(address)).walletAddress, address)
  })

  it("is not registered by a proof for another project, and the error does not reveal the wallet", async () => {
    const [, , signer] = signersOfNewKey()
    const { address } = signer!
    const otherHeaders = { "x-api-key": (await service.newProject(null)).apiKey }
    const message = await messageFor(address)
    const proof = { message, signature: signer!.sign(message)[0] }
    const otherResponse = await register({ address, proof }, otherHeaders)
    assert.strictEqual((await register({ address, proof })).status, 201)
    const replayResponse = await register({ address, proof }, otherHeaders)
    const otherMessage = await messageFor(address, otherHeaders)
    assert.notStrictEqual(otherMessage, message)
    assertRefusal(replayResponse, 400, "BAD_REQUEST", new RegExp(otherMessage, "u"))
    assert.deepStrictEqual(replayResponse.body.errors, otherResponse.body.errors)
    const ownProof = { message: otherMessage, signature: signer!.sign(otherMessage)[0] }
    assert.strictEqual((await register({ address, proof: ownProof }, otherHeaders)).status, 201)
  })
})

describe("a registration of a Bitcoin address", () => {
  it("returns the message to sign if the proof is missing, or is of another message or another key", async () => {
    const [, , signer, otherSigner] = signersOfNewKey()
    const { address } = signer!
    const message = await messageFor(address)
    assert.include(message, service.project.id)
    assert.include(message, address)
    const refusedCases: ReadonlyArray<readonly [string, object]> = [
      ["body.proof", { address }],
      ["body.proof.message", { address, proof: { message: `${message}.`, signature: signer!.sign(`${message}.`)[0] } }],
      ["body.proof.signature", { address, proof: { message, signature: otherSigner!.sign(message)[0] } }],
      ["body.proof.signature", { address, proof: { message, signature: "" } }]
    ]
    for (const [path, body] of refusedCases) {
      const { body: response, status } = await register(body)
      assert.strictEqual(status, 400)
      assert.lengthOf(response.errors, 1)
      assert.strictEqual(response.errors[0].path, path)
      assert.include(response.errors[0].message, message)
    }
    assert.strictEqual((await service.request("GET", `${WALLETS}/${address}`)).status, 404)
  })

  it.each([
    ["1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "wrong_checksum"],
    ["tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "other_network"],
    ["bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs", "unknown_witness_version"],
    ["bc1pfeessrawgf", "anchor"],
    [`0x${"5b".repeat(20)}`, "not_bitcoin"]
  ])("is rejected for %s: %s", async (address, code) => {
    const messageResponse = await service.request("GET", `${WALLETS}/bitcoin/proof-message?address=${address}`)
    const registration = await register({ address, proof: { message: "m", signature: "s" } })
    for (const [response, path] of [
      [messageResponse, "query.address"],
      [registration, "body.address"]
    ] as const) {
      assert.strictEqual(response.status, 400)
      assert.deepInclude(response.body.errors[0], { path, code })
    }
  })

  it("is rejected together with an account, and without one of its two fields", async () => {
    const problemsOf = async (body: object) =>
      (await register(body)).body.errors.map(({ code, path }: Record<string, string>) => `${path} ${code}`)
    const owner = `0x${"5b".repeat(20)}`
    const proof = { message: "m", signature: "s" }
    assert.deepStrictEqual(await problemsOf({}), ["body.externallyOwnedAccount missing", "body.factory missing"])
    assert.deepStrictEqual(await problemsOf({ externallyOwnedAccount: owner }), ["body.factory missing"])
    assert.deepStrictEqual(await problemsOf({ proof }), ["body.address missing"])
    assert.deepStrictEqual(await problemsOf({ address: MULTISIG, eip7702: true, factory: owner }), [
      "body.factory not_of_bitcoin",
      "body.eip7702 not_of_bitcoin"
    ])
  })
})

describe("an address of a script", () => {
  it("cannot be proven, and is attached by an operator as watch-only", async () => {
    const message = await messageFor(MULTISIG)
    const refusal = await register({ address: MULTISIG, proof: { message, signature: "AAAA" } })
    assertRefusal(refusal, 400, "BAD_REQUEST", /An operator can attach the address/u)
    await service.run(BitcoinWallets.use((wallets) => wallets.attach(service.project.id, attachmentOf(MULTISIG))))
    const { body, status } = await service.request("GET", `${WALLETS}/${MULTISIG}`)
    assert.strictEqual(status, 200)
    assert.strictEqual(body.wallet.ownership, "ATTACHED")
  })
})

const DERIVATION = { masterFingerprint: "73c5da0a", path: "m/86'/0'/0'/0/0" }

describe("the public key of a Bitcoin address", () => {
  it("is part of the registration, and must match the address", async () => {
    const [, , segwitSigner, taprootSigner] = signersOfNewKey()
    const { address, publicKey, sign } = taprootSigner!
    const message = await messageFor(address)
    const body = { address, proof: { message, signature: sign(message)[0] } }
    const outputKey = addressToScript(BitcoinAddress.make(address)).slice(6)
    const refusedCases: ReadonlyArray<readonly [string, object, RegExp]> = [
      ["body.publicKey", { publicKey: "0x02" }, /33 bytes/u],
      ["body.publicKey", { publicKey: outputKey }, /output key/u],
      ["body.publicKey", { publicKey: signersOfNewKey()[3]!.publicKey }, /does not match this key/u],
      ["body.publicKey", { derivation: DERIVATION }, /requires `publicKey`/u],
      ["body.derivation.path", { publicKey, derivation: { ...DERIVATION, path: "86'/0" } }, /BIP-32 path/u],
      ["body.derivation.path", { publicKey, derivation: { ...DERIVATION, path: "m/2147483648" } }, /BIP-32 path/u],
      ["body.derivation.masterFingerprint", { derivation: { ...DERIVATION, masterFingerprint: "0x73c5da" } }, /8 hex/u]
    ]
    for (const [path, fields, reason] of refusedCases)
      assertProblems(await register({ ...body, ...fields }), [path, reason])
    assert.strictEqual((await service.request("GET", `${WALLETS}/${address}`)).status, 404)
    const registration = await register({ ...body, publicKey: segwitSigner!.publicKey, derivation: DERIVATION })
    assert.strictEqual(registration.status, 201, JSON.stringify(registration.body))
    assert.deepInclude(registration.body.wallet, { publicKey, derivation: DERIVATION })
  })

  it("is added by another registration with a proof, which keeps the other fields", async () => {
    const { address, publicKey, sign } = signersOfNewKey()[3]!
    const message = await messageFor(address)
    const body = { address, proof: { message, signature: sign(message)[0] } }
    assert.strictEqual((await register({ ...body, metadata: { a: "b" } })).body.wallet.publicKey, null)
    assertRefusal(await register(body), 400, "WALLET_ALREADY_REGISTERED")
    const responses = [
      await register({ ...body, publicKey }),
      await register({ ...body, publicKey, derivation: DERIVATION })
    ]
    for (const [response, derivation] of [
      [responses[0]!, null],
      [responses[1]!, DERIVATION]
    ] as const) {
      assert.strictEqual(response.status, 201, JSON.stringify(response.body))
      assert.deepInclude(response.body.wallet, { publicKey, derivation, metadata: { a: "b" } })
    }
    assertRefusal(await register({ ...body, publicKey }), 400, "WALLET_ALREADY_REGISTERED")
    assert.deepStrictEqual((await service.request("GET", `${WALLETS}/${address}`)).body, responses[1]!.body)
  })
})

describe("an address that an operator attached", () => {
  const attach = (fields: Partial<BitcoinAttachment> & { readonly address: string }) =>
    service.run(
      BitcoinWallets.use((wallets) =>
        wallets.attach(service.project.id, { ...attachmentOf(fields.address), ...fields })
      )
    )

  it.each([0, 1, 2, 3])("is proven by a registration with a proof: address type %i", async (addressType) => {
    const signer = signersOfNewKey()[addressType]!
    const { address } = signer
    await attach({ address, metadata: { a: "b" } })
    const walletBefore = (await service.request("GET", `${WALLETS}/${address}`)).body.wallet
    assert.strictEqual(walletBefore.ownership, "ATTACHED")
    const { body } = await registerSigned(signer)
    const publicKey = addressType === 3 ? null : signer.publicKey
    assert.deepStrictEqual(body.wallet, { ...walletBefore, ownership: "PROVEN", publicKey })
    assert.deepStrictEqual((await service.request("GET", `${WALLETS}/${address}`)).body, body)
  })

  it("is not proven by an invalid proof", async () => {
    const [, , signer, otherSigner] = signersOfNewKey()
    const { address } = signer!
    await attach({ address })
    const message = await messageFor(address)
    const response = await register({ address, proof: { message, signature: otherSigner!.sign(message)[0] } })
    assertRefusal(response, 400, "BAD_REQUEST")
    assert.strictEqual((await service.request("GET", `${WALLETS}/${address}`)).body.wallet.ownership, "ATTACHED")
  })

  it("gets a public key from the operator, and keeps its other fields", async () => {
    const { address, publicKey } = signersOfNewKey()[1]!
    await attach({ address })
    await attach({ address, publicKey: HexBytes.make(publicKey) })
    const { wallet } = (await service.request("GET", `${WALLETS}/${address}`)).body
    assert.deepInclude(wallet, { ownership: "ATTACHED", publicKey })
  })
})

describe("a Bitcoin address with a wrong checksum", () => {
  const wrongAddress = "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb"
  const assertRefused = async (path: string, method: string, url: string, body?: object) => {
    const response = await service.request(method, url, body)
    assertProblems(response, [path, /checksum/u])
    assert.strictEqual(response.body.errors[0].code, "wrong_checksum")
  }

  it.each(["", "/history", "/lending", "/portfolio", "/portfolio/chart", "/tax-export/schedules"])(
    "is rejected in the path of a wallet: %s",
    (suffix) => assertRefused("path.walletAddress", "GET", `${WALLETS}/${wrongAddress}${suffix}`)
  )

  it("is rejected in a cursor and in every field of a request", async () => {
    const nativeToken = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
    const { address } = signersOfNewKey()[2]!
    const gas = { gasFeePaymentMethod: "ADD_TO_AMOUNT", payGasFeeToken: nativeToken }
    const addresses = { walletAddress: address, toAddress: address }
    const extraFee = { percentage: 1, toAddress: wrongAddress }
    const transfer = { ...addresses, ...gas, chainId: 0, token: nativeToken, amount: "0.01" }
    const swap = {
      ...addresses,
      ...gas,
      chainIdIn: 0,
      chainIdOut: 1,
      tokenIn: nativeToken,
      tokenOut: nativeToken,
      amountIn: "0.01"
    }
    await assertRefused("query.lastId", "GET", `${WALLETS}?lastId=${wrongAddress}`)
    for (const [url, body] of [
      ["/api/v1/crypto/transfer", transfer],
      ["/api/v1/crypto/swap", swap]
    ] as const) {
      for (const field of ["walletAddress", "toAddress"]) {
        await assertRefused(`body.${field}`, "POST", url, { ...body, [field]: wrongAddress })
      }
      await assertRefused("body.extraFee.toAddress", "POST", url, { ...body, extraFee })
    }
  })
})

describe("a portfolio of a Bitcoin address", () => {
  const requestPortfolio = (address: string) => service.request("GET", `${WALLETS}/${address}/portfolio`)

  it("contains the confirmed balance, the unconfirmed amount, and a logo", async () => {
    const [, , , signer] = signersOfNewKey()
    const { address } = signer!
    esplora.balances.set(address, {
      fundedAmount: 250_000n,
      spentAmount: 100_000n,
      waitingIn: 5_000n,
      waitingOut: 25_000n
    })
    const { body, status } = await requestPortfolio(address)
    assert.strictEqual(status, 200)
    assert.deepStrictEqual(body.unread, [])
    assert.lengthOf(body.tokens, 1)
    const [token] = body.tokens
    assert.deepInclude(token, {
      symbol: "BTC",
      marketDataId: "bitcoin",
      decimals: 8,
      balance: "150000",
      balanceFormatted: "0.0015",
      unconfirmedBalance: "-20000"
    })
    assert.strictEqual(token.chain.id, 0)
    assert.strictEqual((await fetch(token.logo)).status, 200)
  })

  it("is empty for an unused address", async () => {
    assert.deepStrictEqual((await requestPortfolio(signersOfNewKey()[0]!.address)).body.tokens, [])
  })

  it("names a chain that could not be read, and why", async () => {
    esplora.state.fault = { _tag: "Status", status: 503 }
    const { body, status } = await requestPortfolio(signersOfNewKey()[1]!.address)
    esplora.state.fault = null
    assert.strictEqual(status, 200)
    assert.strictEqual(body.unread[0].chain.name, "Bitcoin")
    assert.match(body.unread[0].reason, /HTTP status 503/u)
  })
})
