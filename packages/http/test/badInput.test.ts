import { Projects } from "@countersign/core/tenancy/projects"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { privateKeyToAccount } from "viem/accounts"
import { registerOneOfEachKind, swapOf, type TestWallet, USDC, WETH } from "./support/accounts.ts"
import { assertProblems, assertRefusal } from "./support/refusals.ts"
import { startTestService, type TestResponse, type TestService } from "./support/testService.ts"

/** Tests that the error of an invalid request contains the field or the cause, and the solution. */

let service: TestService
let wallets: ReadonlyArray<TestWallet>

beforeAll(async () => {
  service = await startTestService()
  wallets = await registerOneOfEachKind(service)
})
afterAll(() => service.stop())

const SWAP = "/api/v1/crypto/swap"
const REGISTER = "/api/v1/wallets/register"
const UNLISTED = "0x00000000000000000000000000000000000000aa"
const USDT = "0xdac17f958d2ee523a2206206994597c13d831ec7"
const USDY = "0x96f6ef951840721adbf46ac996b59e0235cb985c"
const USDC_CHECKSUMMED = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"

const walletOf = (kind = "SimpleAccount 0.8") => wallets.find(({ name }) => name === kind)!

const requestSwap = (changes: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  service.request("POST", SWAP, swapOf(walletOf(), changes), headers)

describe("a key", () => {
  it("that is missing, wrong or revoked is rejected with INVALID_API_KEY and the same body each time", async () => {
    const { apiKey, keyId } = await service.newProject(null)
    const requestChains = (key: string) =>
      service.request("GET", "/api/v1/crypto/chains", undefined, { "x-api-key": key })
    assert.strictEqual((await requestChains(apiKey)).status, 200)
    await service.revokeKey(keyId)
    const unknownKey = `${apiKey.slice(0, -10)}AAAA${apiKey.slice(-6)}`
    for (const key of ["", "nonsense", unknownKey, apiKey]) {
      assertRefusal(await requestChains(key), 401, "INVALID_API_KEY", /countersign key create/u)
    }
    const keylessResponse = await fetch(`${service.baseUrl}/api/v1/crypto/chains`)
    assert.strictEqual(keylessResponse.status, 401)
    assert.include(await keylessResponse.text(), "INVALID_API_KEY")
  })

  it("of a deleted project is rejected with PROJECT_NOT_FOUND for a wallet, if the key is complete", async () => {
    const { apiKey, keyId, keyWith, project } = await service.newProject(null)
    const revokedKey = await keyWith(["read"])
    const requestChains = (key: string) =>
      service.request("GET", "/api/v1/crypto/chains", undefined, { "x-api-key": key })
    await service.revokeKey(revokedKey.split("_")[2]!)
    await service.run(Projects.use((projects) => projects.remove(project.id)))
    assert.include(apiKey, keyId)
    const lookUp = (key: string) =>
      service.request(
        "GET",
        `/api/v1/wallets/address?externallyOwnedAccount=${walletOf().owner}&factory=${walletOf().factory}`,
        undefined,
        { "x-api-key": key }
      )
    assertRefusal(await lookUp(apiKey), 404, "PROJECT_NOT_FOUND")
    assertRefusal(await lookUp(`${apiKey.slice(0, -10)}AAAA${apiKey.slice(-6)}`), 401, "INVALID_API_KEY")
    assertRefusal(await lookUp(revokedKey), 401, "INVALID_API_KEY")
    assertRefusal(await requestChains(apiKey), 401, "INVALID_API_KEY")
  })

  it("is checked before the body", async () => {
    assertRefusal(await requestSwap({ amountIn: "-1" }, { "x-api-key": "" }), 401, "INVALID_API_KEY")
  })

  it("without the scope is rejected with FORBIDDEN_SCOPE, and the error names the scope", async () => {
    const readHeaders = { "x-api-key": (await service.newProject(null, ["read"])).apiKey }
    const quoteHeaders = { "x-api-key": (await service.newProject(null, ["quote"])).apiKey }
    assertRefusal(await requestSwap({}, readHeaders), 403, "FORBIDDEN_SCOPE", /"quote".*--scope quote/u)
    const execution = { userOperationHash: `0x${"11".repeat(32)}`, signature: "0x" }
    assertRefusal(
      await service.request("POST", "/api/v1/crypto/execute-user-op", execution, readHeaders),
      403,
      "FORBIDDEN_SCOPE",
      /"execute"/u
    )
    const { factory, owner } = walletOf()
    assertRefusal(
      await service.request("POST", REGISTER, { externallyOwnedAccount: owner, factory }, quoteHeaders),
      403,
      "FORBIDDEN_SCOPE",
      /"execute"/u
    )
    assertRefusal(
      await service.request("GET", "/api/v1/wallets", undefined, quoteHeaders),
      403,
      "FORBIDDEN_SCOPE",
      /"read"/u
    )
  })
})

describe("a wallet", () => {
  const unknownAddress = "0x00000000000000000000000000000000000000bb"
  const id = "ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT"

  const requests: ReadonlyArray<readonly [string, (address: string, key: string) => Promise<TestResponse>]> = [
    ["swap", (address, key) => service.request("POST", SWAP, swapOf({ address }), { "x-api-key": key })],
    [
      "history",
      (address, key) => service.request("GET", `/api/v1/wallets/${address}/history`, undefined, { "x-api-key": key })
    ],
    ["wallet", (address, key) => service.request("GET", `/api/v1/wallets/${address}`, undefined, { "x-api-key": key })],
    [
      "metadata",
      (address, key) =>
        service.request("PATCH", `/api/v1/wallets/${address}/metadata`, { metadata: {} }, { "x-api-key": key })
    ]
  ]

  it.each(requests)(
    "that is unknown is rejected with 404, and so is a wallet of another project: %s",
    async (_, send) => {
      const otherProject = await service.newProject(null)
      const otherProjectResponse = await send(walletOf().address, otherProject.apiKey)
      const unknownAddressResponse = await send(unknownAddress, service.apiKey)
      assertRefusal(unknownAddressResponse, 404, id, /Register it with POST \/api\/v1\/wallets\/register/u)
      const otherProjectText = JSON.stringify(otherProjectResponse.body)
        .replaceAll(walletOf().address, unknownAddress)
        .replace(String(otherProjectResponse.body.traceId), unknownAddressResponse.body.traceId)
      assert.strictEqual(otherProjectText, JSON.stringify(unknownAddressResponse.body))
      assert.deepStrictEqual(
        [...otherProjectResponse.headers.keys()].filter((name) => name !== "x-compute-units"),
        [...unknownAddressResponse.headers.keys()].filter((name) => name !== "x-compute-units")
      )
    }
  )

  it("with an unregistered Bitcoin address is rejected in the same way", async () => {
    const bitcoinAddress = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"
    assertRefusal(await requestSwap({ walletAddress: bitcoinAddress }), 404, id)
    assertRefusal(await service.request("GET", `/api/v1/wallets/${bitcoinAddress}/history`), 404, id)
  })
})

describe("tokens", () => {
  it.each(["tokenIn", "tokenOut", "payGasFeeToken"])(
    "are rejected with NOT_AUTHORIZED_TOKENS for an unlisted %s",
    async (field) => {
      const response = await requestSwap({ [field]: UNLISTED })
      assertRefusal(
        response,
        400,
        "NOT_AUTHORIZED_TOKENS",
        new RegExp(`${field}.*${UNLISTED}|${UNLISTED}.*${field}`, "u")
      )
    }
  )

  it("are all named in the error if they are unlisted, with the endpoint that lists the tokens", async () => {
    const response = await requestSwap({ tokenIn: UNLISTED, tokenOut: UNLISTED, payGasFeeToken: UNLISTED })
    assertRefusal(response, 400, "NOT_AUTHORIZED_TOKENS", /tokenIn.*tokenOut.*payGasFeeToken/u)
    assert.match(response.body.message, /GET \/api\/v1\/crypto\/tokens/u)
  })

  it("of another chain are rejected with NOT_AUTHORIZED_TOKENS", async () => {
    assertRefusal(await requestSwap({ chainIdIn: 8453, chainIdOut: 8453 }), 400, "NOT_AUTHORIZED_TOKENS")
  })

  it("are rejected with INDIVIDUAL_VERIFICATION_REQUIRED for a real-world asset on either side", async () => {
    for (const changes of [{ tokenIn: USDY }, { tokenOut: USDY }, { tokenOut: USDY, individualId: "somebody" }]) {
      assertRefusal(await requestSwap(changes), 400, "INDIVIDUAL_VERIFICATION_REQUIRED", /USDY.*individualId/u)
    }
  })
})

describe("amountIn", () => {
  const malformedAmounts: ReadonlyArray<unknown> = [
    "-1",
    "1e3",
    "",
    5,
    " 1",
    "1.",
    ".5",
    "+1",
    "1,5",
    "0x10",
    null,
    "１"
  ]
  it.each(malformedAmounts.map((amount) => [amount]))("refuses %j", async (amount) => {
    assertProblems(await requestSwap({ amountIn: amount }), ["body.amountIn", /string|decimal/u])
  })

  it("rejects 101 digits, and states the limit", async () => {
    assertProblems(await requestSwap({ amountIn: "1".repeat(101) }), ["body.amountIn", /100/u])
  })

  it("rejects more decimals than the token has, except trailing zeros", async () => {
    assertProblems(await requestSwap({ amountIn: "1.0000001" }), ["body.amountIn", /USDC has 6 decimals/u])
    assert.strictEqual((await requestSwap({ amountIn: "1.0000000" })).status, 200)
  })

  it("rejects zero, and more than a uint256 holds", async () => {
    assertProblems(await requestSwap({ amountIn: "0" }), ["body.amountIn", /above zero/u])
    assertProblems(await requestSwap({ amountIn: "0.000000" }), ["body.amountIn", /above zero/u])
    assertProblems(await requestSwap({ amountIn: "9".repeat(100) }), ["body.amountIn", /too large/u])
  })

  it("is returned as the caller wrote it", async () => {
    const { body } = await requestSwap({ amountIn: "1.50" })
    assert.strictEqual(body.quotes[0].amountIn, "1.50")
  })
})

describe("a receiver", () => {
  it.each(["00", "01", "02"])("that routers interpret as a placeholder is rejected: 0x…%s", async (lastByte) => {
    const toAddress = `0x${lastByte.padStart(40, "0")}`
    assertProblems(await requestSwap({ toAddress }), ["body.toAddress", /Routers interpret 0x0+\d as themselves/u])
    const gas = { gasFeePaymentMethod: "ADD_TO_AMOUNT", payGasFeeToken: USDC }
    const operations = [{ type: "swap", params: { amountIn: "1", tokenIn: USDC, tokenOut: WETH, toAddress, ...gas } }]
    const batch = { walletAddress: walletOf().address, chainId: 1, operations }
    assertProblems(await service.request("POST", "/api/v1/crypto/batch-operations", batch), [
      "body.operations.0.params.toAddress",
      /Routers interpret/u
    ])
  })
})

describe("percentages", () => {
  const cases: ReadonlyArray<readonly [Record<string, unknown>, string, RegExp]> = [
    [{ slippage: 0.4 }, "body.slippage", /0\.5.*99/u],
    [{ slippage: 99.1 }, "body.slippage", /0\.5.*99/u],
    [{ slippage: "1" }, "body.slippage", /number/u],
    [{ transactionFeePercent: -1 }, "body.transactionFeePercent", /0.*99\.99/u],
    [{ transactionFeePercent: 100 }, "body.transactionFeePercent", /0.*99\.99/u],
    [{ extraFee: { percentage: 100, toAddress: UNLISTED } }, "body.extraFee.percentage", /0.*99\.99/u],
    [{ extraFee: { percentage: 1 } }, "body.extraFee.toAddress", /required/u],
    [{ extraFee: { toAddress: UNLISTED } }, "body.extraFee.percentage", /required/u],
    [{ expiration: 0 }, "body.expiration", /1.*9007199254740991/u],
    [{ expiration: 1.5 }, "body.expiration", /integer|whole/u]
  ]
  it.each(cases)("rejects %j", async (changes, path, pattern) => {
    assertProblems(await requestSwap(changes), [path, pattern])
  })

  it("accepts the bounds themselves", async () => {
    for (const changes of [{ slippage: 0.5 }, { slippage: 99 }, { transactionFeePercent: 0 }]) {
      assert.strictEqual((await requestSwap(changes)).status, 200, JSON.stringify(changes))
    }
  })

  it("rejects fees that add up to the whole amount", async () => {
    const extraFee = { percentage: 50, toAddress: UNLISTED }
    assertProblems(await requestSwap({ transactionFeePercent: 50, extraFee }), [
      "body.extraFee",
      /together must be less than 100 %/u
    ])
  })

  it("rejects an amount that does not exceed its gas fee", async () => {
    assertProblems(await requestSwap({ amountIn: "0.5", gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT" }), [
      "body.amountIn",
      /equal or exceed the amount of 0\.5 USDC\. The gas fee can be up to \d/u
    ])
  })
})

describe("addresses", () => {
  it("are accepted in lower case, upper case and with a valid checksum", async () => {
    for (const tokenIn of [USDC, `0x${USDC.slice(2).toUpperCase()}`, USDC_CHECKSUMMED]) {
      const { body, status } = await requestSwap({ tokenIn })
      assert.strictEqual(status, 200, JSON.stringify(body))
      assert.strictEqual(body.quotes[0].tokenIn, USDC)
    }
  })

  it("with an invalid checksum are rejected in every field", async () => {
    const wrongAddress = USDC_CHECKSUMMED.replace("A", "a")
    for (const field of ["tokenIn", "tokenOut", "payGasFeeToken", "walletAddress", "toAddress"]) {
      assertProblems(await requestSwap({ [field]: wrongAddress }), [`body.${field}`, /checksum/u])
    }
    assertProblems(await requestSwap({ extraFee: { percentage: 1, toAddress: wrongAddress } }), [
      "body.extraFee.toAddress",
      /checksum/u
    ])
    assertProblems(await service.request("GET", `/api/v1/wallets/${wrongAddress}/history`), [
      "path.walletAddress",
      /checksum/u
    ])
    assertProblems(
      await service.request(
        "GET",
        `/api/v1/wallets/address?externallyOwnedAccount=${wrongAddress}&factory=${walletOf().factory}`
      ),
      ["query.externallyOwnedAccount", /checksum/u]
    )
  })

  it("that are malformed are rejected", async () => {
    for (const text of ["", "0x", "0x12", USDC.slice(2), `${USDC}0`, 7]) {
      assertProblems(await requestSwap({ tokenIn: text }), ["body.tokenIn", /EVM address|string/u])
    }
  })

  it("of Bitcoin cannot receive on an EVM chain", async () => {
    assertProblems(await requestSwap({ toAddress: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq" }), [
      "body.toAddress",
      /address on Ethereum/u
    ])
  })
})

describe("chains, profiles and orders", () => {
  it("rejects an unsupported chain, and lists the supported ones", async () => {
    assertProblems(
      await requestSwap({ chainIdIn: 5, chainIdOut: 5 }),
      ["body.chainIdIn", /42161.* 0/u],
      ["body.chainIdOut", /42161.* 0/u]
    )
    assertProblems(await requestSwap({ chainIdIn: "1" }), ["body.chainIdIn", /42161/u])
  })

  it("return SWAP_QUOTE for chains without a swap provider, including Bitcoin", async () => {
    const gnosisToken = "0xddafbb505ad214d7b80b1f830fccc89b60fb7a83"
    assertRefusal(
      await requestSwap({ chainIdOut: 100, tokenOut: gnosisToken }),
      500,
      "SWAP_QUOTE",
      /no provider swaps from Ethereum to Gnosis/u
    )
    const toBitcoin = {
      chainIdOut: 0,
      tokenOut: "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
      toAddress: "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"
    }
    assertRefusal(await requestSwap(toBitcoin), 500, "SWAP_QUOTE", /no provider swaps from Ethereum to Bitcoin/u)
    const nativeToken = toBitcoin.tokenOut
    const fromBitcoin = { chainIdIn: 0, tokenIn: nativeToken, payGasFeeToken: nativeToken }
    assertProblems(await requestSwap(fromBitcoin), ["body.walletAddress", /Expected a Bitcoin wallet/u])
  })

  it("return SWAP_QUOTE for a limit order on a chain without an order book, and a malformed limit is rejected", async () => {
    const usdc = "0x0b2c639c533813f4aa9d7837caf62653d097ff85"
    const optimismFields = {
      chainIdIn: 10,
      chainIdOut: 10,
      tokenIn: usdc,
      payGasFeeToken: usdc,
      tokenOut: "0x4200000000000000000000000000000000000006"
    }
    assertRefusal(
      await requestSwap({ ...optimismFields, minAmountOut: "0.01" }),
      500,
      "SWAP_QUOTE",
      /no provider supports limit orders on OP Mainnet/u
    )
    assertProblems(await requestSwap({ minAmountOut: "0" }), ["body.minAmountOut", /above zero/u])
    assertProblems(await requestSwap({ minAmountOut: `0.${"1".repeat(19)}` }), [
      "body.minAmountOut",
      /WETH has 18 decimals/u
    ])
  })

  it("rejects FASTEST_BRIDGE on one chain, and the same token on both sides", async () => {
    assertProblems(
      await requestSwap({ routeProfile: "FASTEST_BRIDGE", tokenOut: USDC }),
      ["body.routeProfile", /cross-chain/u],
      ["body.tokenOut", /same token/u]
    )
  })

  it("rejects unknown enum values, and lists the valid ones", async () => {
    assertProblems(
      await requestSwap({ routeProfile: "CHEAPEST", gasFeePaymentMethod: "NONE" }),
      ["body.routeProfile", /QUICKEST_QUOTE.*FASTEST_BRIDGE.*BEST_OUTPUT/u],
      ["body.gasFeePaymentMethod", /ADD_TO_AMOUNT.*DEDUCT_FROM_AMOUNT/u]
    )
  })

  it("rejects DEDUCT_FROM_AMOUNT if gas is paid in another token", async () => {
    assertProblems(await requestSwap({ gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT", payGasFeeToken: USDT }), [
      "body.gasFeePaymentMethod",
      /Use ADD_TO_AMOUNT/u
    ])
  })
})

describe("a body", () => {
  it("without any field is rejected with a list of all missing fields", async () => {
    const requiredFields = [
      "amountIn",
      "chainIdIn",
      "chainIdOut",
      "gasFeePaymentMethod",
      "payGasFeeToken",
      "tokenIn",
      "tokenOut",
      "walletAddress",
      "toAddress"
    ]
    const response = await service.request("POST", SWAP, {})
    assertProblems(response, ...requiredFields.map((field) => [`body.${field}`, /required/u] as const))
    for (const { code } of response.body.errors) assert.strictEqual(code, "missing")
  })

  it("with an unknown field is rejected, and the error names the field", async () => {
    const response = await requestSwap({ amountOut: "1", extraFee: { percentage: 1, toAddress: UNLISTED, note: "" } })
    assertProblems(response, ["body.amountOut", /no such field/u], ["body.extraFee.note", /no such field/u])
    for (const { code } of response.body.errors) assert.strictEqual(code, "unknown_field")
  })

  it("with several types of problems is rejected with a list of each problem", async () => {
    assertProblems(
      await requestSwap({ amountIn: 5, slippage: 0, extra: true, tokenIn: undefined }),
      ["body.amountIn", /./u],
      ["body.slippage", /./u],
      ["body.extra", /./u],
      ["body.tokenIn", /./u]
    )
  })

  it("that is not JSON, or not an object, is rejected", async () => {
    for (const text of ["{", "nonsense", '{"amountIn": }']) {
      assertRefusal(await service.request("POST", SWAP, text), 400, "BAD_REQUEST", /JSON/u)
    }
    for (const text of ["", "[]", "null", '"text"', "5"]) {
      assertRefusal(await service.request("POST", SWAP, text), 400, "BAD_REQUEST", /object/u)
    }
  })

  it("of another content type is rejected with UNSUPPORTED_MEDIA_TYPE", async () => {
    const response = await requestSwap({}, { "content-type": "text/plain" })
    assertRefusal(response, 415, "UNSUPPORTED_MEDIA_TYPE", /application\/json/u)
  })

  it("of 2 MB is rejected with PAYLOAD_TOO_LARGE, and the error states the limit", async () => {
    const response = await requestSwap({ metadata: { large: "x".repeat(2_000_000) } })
    assertRefusal(response, 413, "PAYLOAD_TOO_LARGE", /1048576/u)
  })

  it("with too much metadata is rejected", async () => {
    const largeMetadata = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`key${i}`, "value"]))
    assertProblems(await requestSwap({ metadata: largeMetadata }), ["body.metadata", /50/u])
    assertProblems(await requestSwap({ metadata: { order: 5 } }), ["body.metadata.order", /string/u])
  })
})

describe("a request", () => {
  it("for an unknown path is rejected with NOT_FOUND", async () => {
    assertRefusal(await service.request("GET", "/api/v1/nowhere"), 404, "NOT_FOUND", /\/api\/v1\/nowhere.*\/docs/u)
  })

  it.each(["/metrics", "/docs", "/openapi.json"])(
    "with a wrong method for %s is rejected with METHOD_NOT_ALLOWED",
    async (path) => {
      const response = await service.request("POST", path, {})
      assertRefusal(response, 405, "METHOD_NOT_ALLOWED", /GET/u)
      assert.strictEqual(response.headers.get("allow"), "GET")
    }
  )

  it("with a wrong method is rejected with METHOD_NOT_ALLOWED and the header Allow", async () => {
    const response = await service.request("GET", SWAP)
    assertRefusal(response, 405, "METHOD_NOT_ALLOWED", /POST/u)
    assert.strictEqual(response.headers.get("allow"), "POST")
  })

  it.each([99, 101, 600, 3_000])(
    "with an address of %i digits in its path is rejected, and the error names the malformed address",
    async (digits) => {
      const response = await service.request("GET", `/api/v1/wallets/0x${"1".repeat(digits)}/history`)
      assertProblems(response, ["path.walletAddress", /address/u])
      assert.isBelow(JSON.stringify(response.body).length, 1_000)
    }
  )

  it("with huge headers is rejected with HEADERS_TOO_LARGE", async () => {
    const response = await service.request("GET", "/healthz", undefined, { "x-large": "x".repeat(40_000) })
    assert.deepStrictEqual([response.status, response.body.id], [431, "HEADERS_TOO_LARGE"])
  })

  it("is answered with its own X-Request-Id if that is valid, else with a new id", async () => {
    const responseWithId = await service.request("GET", "/api/v1/nowhere", undefined, {
      "x-request-id": "order-17.a_b"
    })
    assert.strictEqual(responseWithId.headers.get("x-request-id"), "order-17.a_b")
    assert.strictEqual(responseWithId.body.traceId, "order-17.a_b")
    const responseWithInvalidId = await service.request("GET", "/api/v1/nowhere", undefined, {
      "x-request-id": "a b<script>"
    })
    assert.match(responseWithInvalidId.body.traceId, /^[0-9a-f-]{36}$/u)
    assert.strictEqual(responseWithInvalidId.headers.get("x-request-id"), responseWithInvalidId.body.traceId)
  })
})

describe("a registration", () => {
  const register = (changes: Record<string, unknown>) =>
    service.request("POST", REGISTER, {
      externallyOwnedAccount: walletOf().owner,
      factory: walletOf().factory,
      ...changes
    })

  it("rejects a salt with eip7702", async () => {
    const { factory } = walletOf("Simple7702Account")
    assertProblems(await register({ factory, eip7702: true, salt: "1" }), ["body.salt", /Omit salt/u])
    const query = `externallyOwnedAccount=${walletOf().owner}&factory=${factory}&eip7702=true&salt=0`
    assertProblems(await service.request("GET", `/api/v1/wallets/address?${query}`), ["query.salt", /Omit salt/u])
  })

  it("rejects an unsupported factory, and rejects eip7702 with a factory that is not an EIP-7702 account", async () => {
    const id = "FACTORY_NOT_SUPPORTED"
    assertRefusal(await register({ factory: UNLISTED }), 400, id, /\/api\/v1\/wallets\/factories/u)
    assertRefusal(await register({ eip7702: true }), 400, id, /EIP-7702/u)
    assertRefusal(await register({ factory: walletOf("Simple7702Account").factory }), 400, id, /eip7702/u)
  })

  it("rejects a salt that is not an integer", async () => {
    for (const salt of ["-1", "1.5", "x", "", -1, 1.5, "9007199254740993"]) {
      assertProblems(await register({ salt }), ["body.salt", /./u])
    }
  })

  it("also accepts a salt as a number, as in the response", async () => {
    const { factory, owner } = walletOf()
    const registration = await service.request("POST", REGISTER, { externallyOwnedAccount: owner, factory, salt: 78 })
    assert.strictEqual(registration.body.wallet.salt, 78)
    const path = `/api/v1/wallets/address?externallyOwnedAccount=${owner}&factory=${factory}&salt=78`
    assert.deepStrictEqual((await service.request("GET", path)).body, registration.body)
  })

  it("of a registered wallet is rejected with WALLET_ALREADY_REGISTERED", async () => {
    assertRefusal(await register({}), 400, "WALLET_ALREADY_REGISTERED", new RegExp(walletOf().address, "u"))
  })
})

describe("a hash", () => {
  it("that is malformed is rejected in the path and in the body", async () => {
    assertProblems(await service.request("GET", "/api/v1/crypto/user-operation/0x12"), [
      "path.userOperationHash",
      /64 hexadecimal digits/u
    ])
    assertProblems(
      await service.request("POST", "/api/v1/crypto/execute-user-op", { userOperationHash: "0x", signature: "0x1" }),
      ["body.userOperationHash", /64 hexadecimal digits/u],
      ["body.signature", /even number/u]
    )
  })
})

describe("a wallet without a balance", () => {
  it("gets a quote with the reason why it cannot execute", async () => {
    const { factory, owner } = walletOf()
    const registration = await service.request("POST", REGISTER, { externallyOwnedAccount: owner, factory, salt: "77" })
    const address = registration.body.wallet.walletAddress
    const { body, status } = await service.request("POST", SWAP, swapOf({ address }))
    assert.strictEqual(status, 200, JSON.stringify(body))
    const [quote] = body.quotes
    assert.match(
      quote.revertReason.decoded,
      new RegExp(
        `^[\\d.]+ USDC are missing: the wallet has 0 USDC on Ethereum, and the operation needs .*countersign sandbox fund ${address} \\d+ USDC --chain 1`,
        "u"
      )
    )
    assert.match(quote.revertReason.raw, /^0x[0-9a-f]*$/u)
    assert.isString(quote.revertReason.utf8)
    assert.match(quote.revertReason.decoded + quote.revertReason.utf8, /balance|AA\d\d/u)
    const execution = await service.request("POST", "/api/v1/crypto/execute-user-op", {
      userOperationHash: quote.userOperationHash,
      ...(await service.signatures(walletOf().privateKey, quote.signData))
    })
    assertRefusal(execution, 409, "QUOTE_STALE")
    assert.match(execution.body.revertReason.decoded, /\S/u)
  })
})

describe("a field that does not exist", () => {
  it("gets a suggestion of the field that the caller probably meant", async () => {
    assertProblems(
      await requestSwap({ walletAdress: "x", nonsense: 1 }),
      ["body.walletAdress", /Did you mean walletAddress\?/u],
      ["body.nonsense", /Check its spelling/u]
    )
  })
})

describe("an amount that the wallet does not have", () => {
  it("is rejected with the missing amount and its token", async () => {
    const transfer = await service.request("POST", "/api/v1/crypto/transfer", {
      walletAddress: walletOf().address,
      chainId: 1,
      token: USDC,
      amount: "99999999",
      toAddress: UNLISTED,
      gasFeePaymentMethod: "DEDUCT_FROM_AMOUNT",
      payGasFeeToken: USDC
    })
    assert.strictEqual(transfer.status, 200, JSON.stringify(transfer.body))
    assert.match(
      transfer.body.transfer.revertReason.decoded,
      /^\d+(\.\d+)? USDC are missing: the wallet has \d+(\.\d+)? USDC on Ethereum, and the operation needs 999999\d\d\.\d+ USDC to send and up to [\d.]+ USDC for gas\./u
    )
  })

  it("and that exceeds the liquidity is rejected with the largest amount that works", async () => {
    const response = await requestSwap({ amountIn: "9000000000000" })
    assertRefusal(response, 500, "SWAP_QUOTE", /The largest possible amount is currently \d+ USDC/u)
  })
})

describe("a signature", () => {
  const execute = (hash: string, signatures: object) =>
    service.request("POST", "/api/v1/crypto/execute-user-op", { userOperationHash: hash, ...signatures })

  it("of the hash as text, or without a prefix, gets an error that names the mistake", async () => {
    const { body } = await requestSwap()
    const [{ signData, userOperationHash }] = body.quotes
    const owner = privateKeyToAccount(walletOf().privateKey)
    const [{ hash, method }] = signData
    const textSignatureResponse = await execute(userOperationHash, {
      signature: await owner.signMessage({ message: hash })
    })
    assertRefusal(textSignatureResponse, 400, "INVALID_SIGNATURE", /signed the hash as a text of 66 characters/u)
    const otherSignature =
      method === "personal_sign" ? await owner.sign({ hash }) : await owner.signMessage({ message: { raw: hash } })
    assertRefusal(await execute(userOperationHash, { signature: otherSignature }), 400, "INVALID_SIGNATURE", /prefix/u)
    assertRefusal(await execute(userOperationHash, { signature: "0x12" }), 400, "INVALID_SIGNATURE", /65-byte ECDSA/u)
  })

  it("of a missing EIP-7702 authorization gets an error that names the missing signature", async () => {
    const { address, privateKey } = walletOf("Simple7702Account")
    const { body } = await service.request("POST", SWAP, swapOf({ address }))
    const [{ signData, userOperationHash }] = body.quotes
    const { authorization, ...signatures } = await service.signatures(privateKey, signData)
    assert.isString(authorization)
    assertRefusal(
      await execute(userOperationHash, signatures),
      400,
      "INVALID_SIGNATURE",
      /The authorization is missing.*eip7702_authorization.*send it as authorization/u
    )
  })
})

describe("a quote", () => {
  it("that has expired is rejected", async () => {
    const { body } = await requestSwap()
    await service.advanceClock(61)
    const execution = await service.request("POST", "/api/v1/crypto/execute-user-op", {
      userOperationHash: body.quotes[0].userOperationHash,
      ...(await service.signatures(walletOf().privateKey, body.quotes[0].signData))
    })
    assertRefusal(
      execution,
      400,
      "USER_OPERATION_EXPIRED",
      /expired at \d{4}-\d\d-\d\dT[\d:.]+Z\. Request a new quote/u
    )
  })
})
