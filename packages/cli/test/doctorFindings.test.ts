import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { NodeProbe, NodeSimulationMethod, OperatorFunds } from "@countersign/adapters/chains/diagnosis"
import { operatorAddresses } from "@countersign/adapters/chains/evm"
import type { PaymasterState } from "@countersign/adapters/chains/paymaster-contracts"
import type { Settings } from "@countersign/adapters/service/composition"
import type { ReplicaState } from "@countersign/adapters/storage/kysely"
import type { RunBacklog } from "@countersign/core/accounting/tax"
import { aTaxRun, aTaxSchedule } from "@countersign/core/contracts/accounting/tax/TaxScheduleStore"
import { anExecution } from "@countersign/core/contracts/operations/executions/ExecutionStore"
import { anOperationIntent, aQuote } from "@countersign/core/contracts/operations/quotes/QuoteStore"
import { aGasEntry } from "@countersign/core/contracts/operations/unpaid-gas/UnpaidGasStore"
import { aWatchProgress } from "@countersign/core/contracts/wallets/chain-activity/ActivityStore"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import type { WaitsFor } from "@countersign/core/operations/executions"
import type { UnpaidGasReport } from "@countersign/core/operations/unpaid-gas"
import { ProjectId } from "@countersign/core/tenancy/projects"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, DateTime, Effect, Redacted } from "effect"
import { serveAcrossApi } from "../../adapters/test/across/acrossApi.ts"
import { startKyberSwapServer } from "../../adapters/test/aggregators/kyberSwapServer.ts"
import { startLiFiServer } from "../../adapters/test/aggregators/lifiServer.ts"
import { startVeloraServer } from "../../adapters/test/aggregators/veloraServer.ts"
import { startEsploraEmulator } from "../../adapters/test/bitcoin/EsploraEmulator.ts"
import { serveMarket } from "../../adapters/test/market-data/MarketEmulator.ts"
import { inboundsWith, thorNodeServer } from "../../adapters/test/thorchain/thorNodeServer.ts"
import { diagnoseAcross, observeAcross } from "../src/doctor/checks/across.ts"
import { diagnoseActivity } from "../src/doctor/checks/activity.ts"
import { diagnoseAggregators, observeAggregators } from "../src/doctor/checks/aggregators.ts"
import { diagnoseBitcoin, observeBitcoin } from "../src/doctor/checks/bitcoin.ts"
import { diagnoseBundler } from "../src/doctor/checks/bundler.ts"
import { type Configuration, diagnoseConfiguration } from "../src/doctor/checks/configuration.ts"
import { diagnoseDatabase } from "../src/doctor/checks/database.ts"
import { diagnoseDeliveries } from "../src/doctor/checks/deliveries.ts"
import { diagnoseUnknownFiat } from "../src/doctor/checks/fiat.ts"
import { diagnoseMarketData, observeMarketData } from "../src/doctor/checks/marketData.ts"
import { diagnoseMoves } from "../src/doctor/checks/moves.ts"
import { diagnoseNodes } from "../src/doctor/checks/nodes.ts"
import { type ChainConditions, diagnoseOperations } from "../src/doctor/checks/operations.ts"
import { diagnoseOperatorAccounts } from "../src/doctor/checks/operatorAccounts.ts"
import { diagnoseOrderBooks, observeOrderBooks } from "../src/doctor/checks/orderBooks.ts"
import { diagnosePaymaster } from "../src/doctor/checks/paymaster.ts"
import { diagnoseReplica } from "../src/doctor/checks/replica.ts"
import { diagnoseReviews } from "../src/doctor/checks/reviews.ts"
import { diagnoseTaxExports } from "../src/doctor/checks/taxExports.ts"
import { diagnoseThorchain, observeThorchain } from "../src/doctor/checks/thorchain.ts"
import { diagnoseUnpaidGas } from "../src/doctor/checks/unpaidGas.ts"
import type { Finding } from "../src/doctor/Finding.ts"
import { type CheckResult, noObservation, observation, observe } from "../src/doctor/Observed.ts"
import { onTerminal } from "../src/doctor/progress.ts"
import { readConfiguration } from "../src/doctor/readConfiguration.ts"
import { report } from "../src/doctor/report.ts"

/** Tests doctor's findings for given observations, without real services. */

const NOW = DateTime.makeUnsafe("2026-06-01T12:00:00Z")
const secondsAgo = (seconds: number) => DateTime.subtract(NOW, { seconds })
const gwei = 1_000_000_000n
const ether = 10n ** 18n
const address = Address.make(`0x${"ab".repeat(20)}`)

const SECRETS_KEY = Buffer.alloc(32, "test").toString("base64")

const configurationFrom = (environment: Readonly<Record<string, string>>): Promise<Configuration> =>
  Effect.runPromise(
    Effect.provideService(
      readConfiguration,
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnvRecord({ COUNTERSIGN_HOME: "/nowhere", SECRETS_KEY, ...environment })
    )
  )

const OPERATOR = {
  OPERATOR_PRIVATE_KEYS_0_7: `0x${"0".repeat(63)}7`,
  OPERATOR_PRIVATE_KEYS_0_8: `0x${"0".repeat(63)}6`
}
const PAYMASTER = {
  PAYMASTER_SIGNER_PRIVATE_KEY: `0x${"0".repeat(63)}8`,
  PAYMASTER_TREASURY: address,
  PAYMASTER_ADDRESS_0_7: address,
  PAYMASTER_ADDRESS_0_8: address
}
const TWO_NODES = { RPC_URL_1: "http://127.0.0.1:1,http://127.0.0.1:2" }
const COMPLETE_SETTINGS = { ...TWO_NODES, ...OPERATOR, ...PAYMASTER }

const subjectsAndStates = (findings: ReadonlyArray<Finding>) => findings.map(({ state, subject }) => [subject, state])

describe("configuration", () => {
  const findingsOf = async (environment: Readonly<Record<string, string>>) =>
    diagnoseConfiguration(await configurationFrom(environment))

  it("is well if nothing is missing", async () => {
    const findings = await findingsOf(COMPLETE_SETTINGS)
    assert.deepStrictEqual(
      findings.map(({ detail }) => detail),
      ["the environment; chains Ethereum"]
    )
    assert.deepStrictEqual(subjectsAndStates(findings), [["configuration", "ok"]])
  })

  it("names every invalid setting, and repeats no value", async () => {
    const findings = await findingsOf({
      ...COMPLETE_SETTINGS,
      RPC_URL_1: "http://127.0.0.1:1, secret",
      OPERATOR_PRIVATE_KEYS_0_7: "0xsecret",
      QUOTE_SECONDS: "secret",
      PORT: "secret",
      WEBHOOK_ALLOW_PRIVATE_TARGETS: "secret",
      COMPUTE_UNITS_READ: "-1",
      PAYMASTER_TREASURY: "secret"
    })
    assert.deepStrictEqual(
      findings.map(({ detail, state, subject }) => [subject, state, detail]),
      [
        ["setting PORT", "failing", "is not a whole number from 0 to 65535"],
        ["setting COMPUTE_UNITS_READ", "failing", "is not a whole number from 0 to 2147483647"],
        [
          "setting RPC_URL_1",
          "failing",
          'is not a list of http and https URLs, separated by commas, or the word "public"'
        ],
        [
          "setting OPERATOR_PRIVATE_KEYS_0_7",
          "failing",
          "is not a list of private keys: each 0x and 64 digits, separated by commas"
        ],
        [
          "setting PAYMASTER_TREASURY",
          "failing",
          "is not an EVM address, with a valid checksum if it has upper and lower case"
        ],
        ["setting QUOTE_SECONDS", "failing", "is not a whole number from 1 to 86400"],
        ["setting WEBHOOK_ALLOW_PRIVATE_TARGETS", "failing", "is not true or false"]
      ]
    )
    assert.notInclude(JSON.stringify(findings), "secret")
    assert.strictEqual(findings[0]?.byItself, "Nothing: `countersign serve` does not start with this setting.")
  })

  it.each([
    ["PORT", "65536", "a whole number from 0 to 65535"],
    ["MAX_BODY_BYTES", "0", "a whole number from 1 to 2147483647"],
    ["REQUEST_TIMEOUT_MS", "0", "a whole number from 1 to 2147483647"],
    ["KEEP_ALIVE_TIMEOUT_MS", "0", "a whole number from 1 to 2147483647"],
    ["PARALLEL_REQUESTS_MAX", "0", "a whole number from 1 to 2147483647"],
    ["CONNECTIONS_MAX", "0", "a whole number from 1 to 2147483647"],
    ["COMPUTE_UNITS_QUOTE", "five", "a whole number from 0 to 2147483647"],
    ["COMPUTE_UNITS_SLOW_QUOTE", "-1", "a whole number from 0 to 2147483647"],
    ["COMPUTE_UNITS_PORTFOLIO", "1.5", "a whole number from 0 to 2147483647"],
    ["RETENTION_QUOTES_DAYS", "0", "a number of days from 0.1 to 36500"],
    ["RETENTION_DELIVERIES_DAYS", "week", "a number of days from 0.1 to 36500"],
    ["RATE_LIMIT_REQUESTS", "0", "a whole number from 1 to 2147483647"],
    ["RATE_LIMIT_WINDOW_SECONDS", "0", "a whole number from 1 to 86400"],
    ["PROVIDER_TIMEOUT_MS", "0", "a whole number from 1 to 2147483647"],
    ["OPERATOR_SHARE_PERCENT", "101", "a percentage from 0 to 100"],
    ["WEBHOOK_TIMEOUT_MS", "60000", "a whole number from 1 to 30000"]
  ])("fails where %s is %s", async (name, value, expected) => {
    const findings = await findingsOf({ ...COMPLETE_SETTINGS, [name]: value })
    assert.deepStrictEqual(
      findings.map(({ detail, state, subject }) => [subject, state, detail]),
      [[`setting ${name}`, "failing", `is not ${expected}`]]
    )
  })

  it("names all missing settings of a paymaster", async () => {
    const { PAYMASTER_SIGNER_PRIVATE_KEY } = PAYMASTER
    const findings = await findingsOf({ ...TWO_NODES, ...OPERATOR, PAYMASTER_SIGNER_PRIVATE_KEY })
    const missingFindings = findings.filter(
      ({ detail }) => detail === "is not set, and PAYMASTER_SIGNER_PRIVATE_KEY requires it"
    )
    assert.deepStrictEqual(
      missingFindings.map(({ subject }) => subject),
      ["setting PAYMASTER_TREASURY", "setting PAYMASTER_ADDRESS_0_7", "setting PAYMASTER_ADDRESS_0_8"]
    )
    assert.match(missingFindings[1]?.whatToDo ?? "", /^Set PAYMASTER_ADDRESS_0_7 .*paymaster deploy/u)
    assert.notInclude(
      findings.map(({ subject }) => subject),
      "setting PAYMASTER_SIGNER_PRIVATE_KEY"
    )
  })

  it("reports weak settings: public nodes, a single node, no paymaster, a fee share without a receiver", async () => {
    const publicNodeFindings = await findingsOf({ RPC_URL_8453: "public", ...OPERATOR, ...PAYMASTER })
    assert.deepStrictEqual(subjectsAndStates(publicNodeFindings.slice(0, 2)), [
      ["configuration", "ok"],
      ["setting RPC_URL_8453", "waiting"]
    ])
    assert.strictEqual(
      publicNodeFindings[1]?.detail,
      "contains only public nodes of Base, which limit the request rate"
    )
    const findingsWithoutChains = await findingsOf({
      DATABASE_URL: "postgres://127.0.0.1/x",
      ...OPERATOR,
      ...PAYMASTER
    })
    assert.deepStrictEqual(
      findingsWithoutChains.map(({ detail, state, subject }) => [subject, state, detail]),
      [["setting RPC_URL_<chain id>", "failing", "is not set for any chain, so no chain is served"]]
    )
    const findings = await findingsOf({ RPC_URL_1: "http://127.0.0.1:1", ...OPERATOR, OPERATOR_SHARE_PERCENT: "10" })
    assert.deepStrictEqual(
      findings.map(({ detail, state, subject }) => [subject, state, detail]),
      [
        ["configuration", "ok", "the environment; chains Ethereum"],
        ["setting RPC_URL_1", "waiting", "contains only one node of Ethereum, so there is no failover"],
        [
          "setting PAYMASTER_SIGNER_PRIVATE_KEY",
          "waiting",
          "is not set, and no PAYMASTER_URL is set, so there is no paymaster"
        ],
        ["setting OPERATOR_TREASURY", "waiting", "is not set, while OPERATOR_SHARE_PERCENT is 10"]
      ]
    )
    assert.strictEqual(
      findings[1]?.byItself,
      "When that node fails, quotes on Ethereum return SWAP_QUOTE until it recovers."
    )
  })

  it("lists each incomplete group of settings, and checks the others", async () => {
    const incompleteConfiguration = await configurationFrom({
      ...COMPLETE_SETTINGS,
      BLINDPAY_INSTANCE_ID: "in_000000000000",
      DOCUMENTS_S3_URL: "https://s3.example/documents",
      PORT: "no number"
    })
    assert.deepStrictEqual(incompleteConfiguration.problems.map(({ name }) => name).toSorted(), [
      "BLINDPAY_API_KEY",
      "DOCUMENTS_S3_ACCESS_KEY_ID",
      "PORT"
    ])
  })

  it("fails without a bundler, or if a chain in use has none", async () => {
    const emptyFindings = await findingsOf({ ...TWO_NODES, ...PAYMASTER })
    assert.deepStrictEqual(subjectsAndStates(emptyFindings), [["setting OPERATOR_PRIVATE_KEYS_0_7", "failing"]])
    assert.strictEqual(emptyFindings[0]?.byItself, "Nothing: quotes return SWAP_QUOTE, and no operation is sent.")
    const partialFindings = await findingsOf({
      ...COMPLETE_SETTINGS,
      RPC_URL_137: "http://127.0.0.1:1,http://127.0.0.1:2",
      BUNDLER_URL_1: "http://127.0.0.1:3"
    })
    assert.deepStrictEqual(
      partialFindings.map(({ detail, subject }) => [subject, detail]),
      [["setting BUNDLER_URL_137", "is not set, but the service serves Polygon"]]
    )
  })
})

const answeredProbe = (
  fields: Partial<Extract<NodeProbe, { _tag: "Answered" }>["head"]> = {},
  simulationMethod: NodeSimulationMethod | null = "TRACE"
): NodeProbe => ({
  _tag: "Answered",
  host: "node.example",
  head: { blockNumber: 100, timestamp: DateTime.toEpochMillis(NOW) / 1_000 - 12, blocksBehind: 0, ...fields },
  simulationMethod
})

describe("nodes", () => {
  const nodeFindings = async (...nodes: ReadonlyArray<NodeProbe>) =>
    diagnoseNodes([{ chainId: 1, nodes }], await configurationFrom(COMPLETE_SETTINGS), NOW)
  const timestampAgo = (seconds: number) => DateTime.toEpochMillis(secondsAgo(seconds)) / 1_000

  it("are well with the latest block", async () => {
    const [node] = await nodeFindings(answeredProbe())
    assert.deepStrictEqual(
      [node?.state, node?.detail],
      ["ok", "block 100 of 2026-06-01T11:59:48.000Z; simulates with debug_traceCall"]
    )
  })

  it("are reported when no block has come for the time of ten blocks", async () => {
    const [lateFinding, latestFinding] = await nodeFindings(
      answeredProbe({ timestamp: timestampAgo(121) }),
      answeredProbe()
    )
    assert.deepStrictEqual(
      [lateFinding?.state, lateFinding?.detail, lateFinding?.since, lateFinding?.waitsFor, latestFinding?.state],
      [
        "waiting",
        "no new block: the last is block 100 of 2026-06-01T11:57:59.000Z, 121 s ago",
        "2026-06-01T11:57:59.000Z",
        "a new block",
        "ok"
      ]
    )
    assert.strictEqual((await nodeFindings(answeredProbe({ timestamp: timestampAgo(119) })))[0]?.state, "ok")
  })

  it("report a clock that is behind", async () => {
    const [node] = await nodeFindings(answeredProbe({ timestamp: timestampAgo(-600) }))
    assert.deepStrictEqual([node?.state, node?.waitsFor], ["waiting", "the correct time on this machine"])
  })

  it("report the method that simulates operations, and its limitations", async () => {
    const SEEN_DETAIL = "block 100 of 2026-06-01T11:59:48.000Z; does not support debug_traceCall"
    const [singleNodeFinding] = await nodeFindings(answeredProbe({}, "SIMULATE"))
    assert.deepStrictEqual(
      [singleNodeFinding?.state, singleNodeFinding?.detail],
      ["ok", `${SEEN_DETAIL}; simulates with eth_simulateV1: previews omit token transfers without an event`]
    )
    const paidFirstConfiguration = await configurationFrom({ ...COMPLETE_SETTINGS, FIRST_USE_OF_GAS_TOKEN: "paid" })
    const [tracingFinding] = diagnoseNodes(
      [{ chainId: 1, nodes: [answeredProbe({}, "SIMULATE")] }],
      paidFirstConfiguration,
      NOW
    )
    assert.deepStrictEqual([tracingFinding?.state, tracingFinding?.waitsFor], ["failing", "debug_traceCall"])
    for (const method of ["CALL", "NONE"] as const) {
      const [limitedNodeFinding] = await nodeFindings(answeredProbe({}, method))
      assert.deepStrictEqual(
        [limitedNodeFinding?.state, limitedNodeFinding?.waitsFor, limitedNodeFinding?.byItself],
        [
          "failing",
          "a node of Ethereum that supports debug_traceCall or eth_simulateV1",
          "Nothing: quotes on Ethereum return SWAP_QUOTE."
        ]
      )
    }
    const [one, two] = await nodeFindings(answeredProbe({}, "CALL"), answeredProbe())
    assert.deepStrictEqual([one?.state, two?.state], ["waiting", "ok"])
    assert.strictEqual(one?.byItself, "The service simulates operations on another node of the chain.")
    const configurationWithBundler = await configurationFrom({
      ...COMPLETE_SETTINGS,
      BUNDLER_URL_1: "http://127.0.0.1:3"
    })
    const [nodeFinding] = diagnoseNodes(
      [{ chainId: 1, nodes: [answeredProbe({}, "CALL")] }],
      configurationWithBundler,
      NOW
    )
    assert.deepStrictEqual(
      [nodeFinding?.state, nodeFinding?.detail],
      ["ok", `${SEEN_DETAIL}; simulates with eth_call: previews show no asset changes`]
    )
  })
})

describe("the bundler", () => {
  const fundsOf = (fields: Partial<OperatorFunds> = {}): OperatorFunds => ({
    address,
    balance: ether,
    maxFeePerGas: 10n * gwei,
    latestNonce: 7,
    pendingNonce: 7,
    ...fields
  })
  const selfFindings = (fields: Partial<OperatorFunds>, since: DateTime.Utc | null = null) =>
    diagnoseBundler(
      [{ _tag: "Self", chainId: 1, version: "0.7", funds: observation(fundsOf(fields)) }],
      new Map<EvmChainId, DateTime.Utc>(since === null ? [] : [[1, since]]),
      NOW
    )

  it("is short of native tokens for fewer than twenty operations, and fails for fewer than one", () => {
    const details = [20n, 19n, 1n].map((operations) => {
      const [finding] = selfFindings({ balance: operations * 10n ** 16n })
      return [finding?.state, finding?.detail]
    })
    assert.deepStrictEqual(details, [
      ["ok", `0.2 ETH, enough for about 20 operations; operator ${address}`],
      ["waiting", `0.19 ETH, enough for about 19 operations; operator ${address}`],
      ["waiting", `0.01 ETH, enough for about 1 operation; operator ${address}`]
    ])
    const [brokeFinding] = selfFindings({ balance: 10n ** 16n - 1n })
    assert.deepStrictEqual(
      [brokeFinding?.state, brokeFinding?.detail, brokeFinding?.whatToDo],
      [
        "failing",
        `0.009999 ETH, less than one operation may cost; operator ${address}`,
        `Send 0.2 ETH or more to ${address} on Ethereum.`
      ]
    )
    assert.strictEqual(selfFindings({ balance: 0n, maxFeePerGas: 0n })[0]?.state, "ok")
  })

  it("is stuck when a transaction stays in the mempool while an operation waits", () => {
    const [, transactionsFinding] = selfFindings({ pendingNonce: 9 })
    assert.deepStrictEqual(
      [transactionsFinding?.subject, transactionsFinding?.state, transactionsFinding?.detail],
      [
        "Ethereum bundler 0.7's transactions",
        "waiting",
        "2 transactions of the operator wait for a block, from nonce 7 on"
      ]
    )
    assert.strictEqual(selfFindings({ pendingNonce: 9 }, secondsAgo(59))[1]?.state, "waiting")
    const [, stuckFinding] = selfFindings({ pendingNonce: 8 }, secondsAgo(61))
    assert.deepStrictEqual(
      [stuckFinding?.state, stuckFinding?.since, stuckFinding?.waitsFor],
      ["failing", "2026-06-01T11:58:59.000Z", "a block of Ethereum that includes nonce 7"]
    )
    assert.match(
      stuckFinding?.whatToDo ?? "",
      /^Start the service if it does not run\. If it runs, search its log for errors about nonce 7 of 0xab\w+\.$/u
    )
  })

  it("of a provider is checked for its chain and both entry points", () => {
    const host = "bundler.example"
    const findings = diagnoseBundler(
      [
        {
          _tag: "Rpc",
          chainId: 1,
          hosts: [
            { _tag: "Answered", host, chainId: 1, missingEntryPoints: [] },
            { _tag: "Answered", host, chainId: null, missingEntryPoints: ["0.8"] },
            { _tag: "Answered", host, chainId: 137, missingEntryPoints: [] },
            { _tag: "Failed", host, failure: { _tag: "HttpStatus", status: 401 } }
          ]
        }
      ],
      new Map(),
      NOW
    )
    assert.deepStrictEqual(
      findings.map(({ detail, state }) => [state, detail]),
      [
        ["ok", "responds, and supports EntryPoint 0.7 and 0.8"],
        ["failing", "responds, but does not support EntryPoint 0.8"],
        ["failing", "is a bundler of chain 137, not of Ethereum"],
        ["failing", "responded with HTTP status 401"]
      ]
    )
    assert.strictEqual(findings[3]?.whatToDo, "Check the path and the key of the URL in BUNDLER_URL_1.")
  })
})

describe("the paymaster", () => {
  const paymasters = { "0.7": address, "0.8": address }

  const completeState = {
    hasCode: true,
    codeMatches: true,
    ownerIsAdmin: null,
    signerIsListed: true,
    unlistedOperators: [],
    unapprovedTokens: [],
    deposit: 20n * 10n ** 16n,
    maxFeePerGas: 10n * gwei
  }

  const findingsOf = (old: PaymasterState, recent: PaymasterState) =>
    diagnosePaymaster([{ _tag: "Self", chainId: 137, paymasters, funds: observation({ "0.7": old, "0.8": recent }) }])

  it("is not ready if a part of its set-up is missing, whatever its deposit", () => {
    const unlistedState = { ...completeState, signerIsListed: false, unlistedOperators: [address] }
    const absentState = { ...completeState, hasCode: false, codeMatches: false, signerIsListed: false }
    const findings = findingsOf(unlistedState, absentState)
    assert.deepStrictEqual(
      findings.map(({ detail, state }) => [state, detail]),
      [
        ["failing", `it does not list the signer; it does not list ${address}; paymaster ${address}`],
        ["failing", `its contract is not deployed; paymaster ${address}`]
      ]
    )
    assert.include(findings[0]?.whatToDo, "countersign paymaster deploy --chain 137")
  })

  it("has a deposit for twenty operations, or is short of it", () => {
    const findings = findingsOf({ ...completeState, deposit: 19n * 10n ** 16n }, completeState)
    assert.deepStrictEqual(
      findings.map(({ detail, state, subject }) => [subject, state, detail]),
      [
        [
          "Polygon paymaster 0.7",
          "waiting",
          `0.19 POL deposited, enough for about 19 operations; paymaster ${address}`
        ],
        ["Polygon paymaster 0.8", "ok", `0.2 POL deposited, enough for about 20 operations; paymaster ${address}`]
      ]
    )
  })

  it("fails without a deposit", () => {
    const [old] = findingsOf({ ...completeState, deposit: 0n }, completeState)
    assert.strictEqual(old?.detail, `0 POL deposited, less than one operation may cost; paymaster ${address}`)
    assert.match(old?.whatToDo ?? "", /^Deposit [\d.]+ POL or more for 0x\w+ at EntryPoint 0\.7 on Polygon/u)
  })

  it("of a provider is checked for a response", () => {
    const host = "paymaster.example"
    const [okFinding, failedFinding] = diagnosePaymaster([
      {
        _tag: "Rpc",
        chainId: 1,
        hosts: [
          { _tag: "Answered", host, chainId: null, missingEntryPoints: [] },
          { _tag: "Failed", host, failure: { _tag: "Unreachable", code: "ENOTFOUND" } }
        ]
      }
    ])
    assert.deepStrictEqual([okFinding?.state, failedFinding?.state], ["ok", "failing"])
    assert.strictEqual(failedFinding?.detail, "has an unknown host name (ENOTFOUND)")
  })
})

describe("the read replica", () => {
  const replicaFindingOf = (value: ReplicaState | null) => diagnoseReplica(observation(value))[0]

  it("has no finding without one", () => {
    assert.deepStrictEqual(diagnoseReplica(null), [])
    assert.isUndefined(replicaFindingOf(null))
  })

  it("is ok up to a segment of the write-ahead log behind, and waits above it", () => {
    const segment = 16 * 1024 * 1024
    assert.deepStrictEqual(
      [segment, segment + 1].map((behindBytes) => replicaFindingOf({ isSameDatabase: true, behindBytes })?.state),
      ["ok", "waiting"]
    )
  })

  it("fails if it is another database or no replica, and waits if it does not respond", () => {
    assert.strictEqual(
      replicaFindingOf({ isSameDatabase: false, behindBytes: 0 })?.detail,
      "is not a replica of the database in DATABASE_URL"
    )
    assert.strictEqual(
      replicaFindingOf({ isSameDatabase: true, behindBytes: null })?.detail,
      "is not a streaming replica"
    )
    assert.strictEqual(diagnoseReplica(noObservation("did not respond in time"))[0]?.state, "waiting")
  })
})

describe("the database", () => {
  const postgres: Settings["database"] = {
    _tag: "Postgres",
    url: Redacted.make("postgres://user:secret@db.example:5433/name")
  }
  const postgresFindings = (used: number) =>
    diagnoseDatabase(postgres, null, observation({ pending: [], unknown: [], connections: { used, max: 100 } }))

  it("reports the connections of a Postgres server, and that few are left", () => {
    assert.strictEqual(
      postgresFindings(89).detail,
      "responds, and is up to date; 89 of 100 connections in use; Postgres at db.example:5433"
    )
    assert.deepStrictEqual([postgresFindings(89).state, postgresFindings(90).state], ["ok", "waiting"])
  })

  it("fails if the file is read-only", () => {
    const sqlite = { _tag: "Sqlite", filename: "/data/countersign.db" } as const
    const { detail, state, waitsFor } = diagnoseDatabase(sqlite, "READ_ONLY", noObservation(""))
    assert.deepStrictEqual(
      [state, detail, waitsFor],
      ["failing", "or its folder is not writable for this user; SQLite file /data/countersign.db", "write permission"]
    )
  })
})

describe("operations", () => {
  const readyConditions: ChainConditions = {
    chainsWithoutNode: new Set(),
    chainsWithoutNativeToken: new Set(),
    hasBundler: true
  }
  const anOperationSince = (acceptedAt: DateTime.Utc, deadline: DateTime.Utc) => {
    const randomIntent = anOperationIntent()
    const quote = aQuote({ intents: [{ ...randomIntent, operation: { ...randomIntent.operation, chainId: 1 } }] })
    const { stages, ...execution } = anExecution({ acceptedAt }, quote)
    return {
      execution: { ...execution, stages: stages.map((stage) => ({ ...stage, deadline })) },
      quote,
      dueAt: secondsAgo(1),
      claim: null
    }
  }
  const waitingFindingOf = (conditions: Partial<ChainConditions>, deadline = DateTime.add(NOW, { minutes: 1 })) => {
    const state = {
      pending: [],
      late: [anOperationSince(secondsAgo(60), deadline)],
      reorgedAt: new Map()
    }
    return diagnoseOperations(observation(state), NOW, { ...readyConditions, ...conditions })[0]
  }

  it("wait for a node, for native tokens or for a block, and need no action", () => {
    const chain: ReadonlySet<EvmChainId> = new Set([1])
    const waitingFindings = [
      waitingFindingOf({ chainsWithoutNode: chain, chainsWithoutNativeToken: chain }),
      waitingFindingOf({ chainsWithoutNativeToken: chain }),
      waitingFindingOf({})
    ]
    assert.deepStrictEqual(
      waitingFindings.map((finding) => [finding?.state, finding?.waitsFor]),
      [
        ["waiting", "a node of Ethereum"],
        ["waiting", "native tokens on Ethereum for the operator, who pays the gas"],
        ["waiting", "inclusion in a block of Ethereum"]
      ]
    )
    const unsentFinding = waitingFindingOf({ hasBundler: false })
    assert.deepStrictEqual([unsentFinding?.state, unsentFinding?.waitsFor], ["failing", "a bundler"])
  })

  it("past their deadlines fail, and end within an hour without action", () => {
    const lateFinding = waitingFindingOf({ chainsWithoutNode: new Set([1]) }, secondsAgo(30))
    assert.deepStrictEqual(
      [lateFinding?.state, lateFinding?.waitsFor, lateFinding?.byItself, lateFinding?.whatToDo],
      [
        "failing",
        "a node of Ethereum",
        "The operation fails as NOT_INCLUDED once the chain's block time is past the deadline, or at 2026-06-01T12:59:30.000Z.",
        "Repair a node of Ethereum: see above. The owner needs a new quote."
      ]
    )
  })

  it("in another stage wait for the event of the stage, or for a process that works on them", () => {
    const oldOperation = anOperationSince(secondsAgo(60), DateTime.add(NOW, { minutes: 1 }))
    const findingsOf = (dueAt: DateTime.Utc, lateAt: DateTime.Utc) => {
      const wait = { waitsFor: "BRIDGE", awaited: "the fill on the destination chain", lateAt } as const
      const stages = [
        { name: "bridge", intent: null, status: "ON_BRIDGE", state: "null", deadline: null, wait }
      ] as const
      const lateOperations = [{ ...oldOperation, execution: { ...oldOperation.execution, stages }, dueAt }]
      return diagnoseOperations(
        observation({ pending: [], late: lateOperations, reorgedAt: new Map() }),
        NOW,
        readyConditions
      )[0]!
    }
    const inOneMinute = DateTime.add(NOW, { minutes: 1 })
    assert.deepStrictEqual(
      [
        findingsOf(secondsAgo(1), inOneMinute),
        findingsOf(secondsAgo(1), secondsAgo(5)),
        findingsOf(secondsAgo(60), secondsAgo(5))
      ].map(({ state, waitsFor, whatToDo }) => [state, waitsFor, whatToDo]),
      [
        ["waiting", "the fill on the destination chain", "Nothing."],
        [
          "failing",
          "the fill on the destination chain",
          "Look up the transaction at the bridge; its support can explain the delay."
        ],
        [
          "failing",
          "an execution worker: no process is working on it",
          "Make sure that `countersign serve` runs on this database."
        ]
      ]
    )
  })

  const pendingSummariesOf = (stage: string, waitsFor: WaitsFor, dueAt: DateTime.Utc, lateCount = 0) => {
    const pendingStages = [{ stage, waitsFor, count: 2, lateCount, oldestAcceptedAt: secondsAgo(90), dueAt }]
    const state = { pending: pendingStages, late: [], reorgedAt: new Map<string, DateTime.Utc>() }
    return diagnoseOperations(observation(state), NOW, readyConditions).map(({ detail, state, subject }) => [
      subject,
      state,
      detail
    ])
  }

  it("in blocks wait for finality, and are reported if no process is working", () => {
    assert.deepStrictEqual(pendingSummariesOf("finality", "CHAIN", secondsAgo(40)), [
      ["operations", "ok", "no operation waits for a block"],
      ["operations in blocks", "waiting", "2 operations in blocks that are not final, watched"]
    ])
    assert.deepStrictEqual(pendingSummariesOf("finality", "CHAIN", secondsAgo(50))[1], [
      "operations in blocks",
      "failing",
      "2 operations in blocks that are not final, but no process watches them"
    ])
  })

  it("in other stages are counted by stage", () => {
    assert.deepStrictEqual(pendingSummariesOf("limit-order", "ORDER_BOOK", secondsAgo(40))[1], [
      'operations in stage "limit-order"',
      "ok",
      "2 operations, none late; they wait for an order book, the oldest since 2026-06-01T11:58:30.000Z"
    ])
    assert.deepStrictEqual(pendingSummariesOf("fiat-payout", "BANK", secondsAgo(50), 1)[1], [
      'operations in stage "fiat-payout"',
      "failing",
      "2 operations, 1 late"
    ])
  })

  it("that are late are listed in that order, up to a maximum", () => {
    const lateOperations = Array.from({ length: 26 }, () =>
      anOperationSince(secondsAgo(60), DateTime.add(NOW, { minutes: 1 }))
    )
    const state = { pending: [], late: lateOperations, reorgedAt: new Map<string, DateTime.Utc>() }
    const findings = diagnoseOperations(observation(state), NOW, readyConditions)
    assert.strictEqual(findings.length, 26)
    assert.strictEqual(
      findings.at(-1)?.detail,
      "more than 25 operations are late or will soon be late; only the first 25 are listed"
    )
  })

  it("and webhooks are unknown without a database", () => {
    const connectionRefused: CheckResult<never> = noObservation("refused the connection")
    const findings = [
      ...diagnoseOperations(connectionRefused, NOW, readyConditions),
      ...diagnoseDeliveries(connectionRefused, NOW)
    ]
    assert.deepStrictEqual(
      findings.map(({ detail, state, subject, waitsFor }) => [subject, state, detail, waitsFor]),
      [
        ["operations", "waiting", "unknown: refused the connection", "the database"],
        ["webhooks", "waiting", "unknown: refused the connection", "the database"]
      ]
    )
  })
})

describe("tax exports", () => {
  const findingsOf = (backlog: Partial<RunBacklog>) =>
    diagnoseTaxExports(observation({ due: 0, oldestDueAt: null, troubled: [], ...backlog }), NOW)
  const run = aTaxRun(aTaxSchedule(), { attempts: 3, lastError: "the mail server refused the receiver with 451" })

  it("are ok while none is due, or became due recently", () => {
    assert.deepStrictEqual(
      [findingsOf({}), findingsOf({ due: 2, oldestDueAt: secondsAgo(60) })].map(([finding]) => [
        finding!.state,
        finding!.detail
      ]),
      [
        ["ok", "no export is due"],
        ["ok", "2 exports due"]
      ]
    )
  })

  it("are failing if no process creates the due exports", () => {
    const [finding] = findingsOf({ due: 1, oldestDueAt: secondsAgo(3_600) })
    assert.deepStrictEqual([finding!.state, finding!.detail], ["failing", "1 export due, the oldest for 60 minutes"])
    assert.match(finding!.whatToDo ?? "", /countersign serve/u)
  })

  it("that fail are named with their wallet and the reason, and without the mail address", () => {
    const [, retried, failed] = findingsOf({
      troubled: [run, { ...run, status: "FAILED", nextAttemptAt: null, endedAt: secondsAgo(5) }]
    })
    assert.deepStrictEqual([retried!.state, failed!.state], ["waiting", "failing"])
    assert.match(retried!.detail, /of 2026-05 for wallet 0x\w+ of project .* 3 times: .*451/u)
    assert.match(failed!.detail, /failed permanently after 3 attempts/u)
    assert.include(failed!.whatToDo!, `countersign tax export ${run.walletAddress} --month 2026-05`)
    assert.notInclude(JSON.stringify([retried, failed]), "@")
  })

  it("are unknown without a database", () => {
    const [finding] = diagnoseTaxExports(noObservation("refused the connection"), NOW)
    assert.deepStrictEqual([finding!.state, finding!.waitsFor], ["waiting", "the database"])
  })
})

describe("operator transactions", () => {
  const findingsOf = async (operator: Address, waitingCount: number) => {
    const account = { operatorAccount: { chainId: 137, operator }, waiting: waitingCount } as const
    return diagnoseOperatorAccounts(observation([account]), await configurationFrom(COMPLETE_SETTINGS))
  }

  it("are reported if their key is not set, and only then", async () => {
    const { bundler } = (await configurationFrom(COMPLETE_SETTINGS)).settings
    const [ownOperator] = bundler._tag === "Self" ? operatorAddresses(bundler.operatorKeys)["0.7"] : []
    assert.deepStrictEqual(await findingsOf(ownOperator!, 3), [])
    assert.deepStrictEqual(await findingsOf(address, 0), [])
    const [finding] = await findingsOf(address, 3)
    assert.deepStrictEqual(
      [finding!.subject, finding!.state, finding!.detail],
      [
        `Polygon operator ${address}`,
        "failing",
        "the key of this operator is not set, but 3 transactions of it are not in a block"
      ]
    )
  })
})

describe("market prices", () => {
  it("are reported by the response of each source, and wait if one does not respond", async () => {
    const findings = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const emulator = yield* serveMarket
          const configuration = yield* Effect.promise(() =>
            configurationFrom({
              ...COMPLETE_SETTINGS,
              MARKET_DATA_SOURCES: "coingecko,defillama",
              COINGECKO_API_KEY: "a-secret-key",
              COINGECKO_URL: emulator.urls.coingecko,
              DEFILLAMA_URL: emulator.urls.defillama
            })
          )
          emulator.inject("coingecko", { _tag: "Status", status: 401 })
          return diagnoseMarketData(yield* observeMarketData(configuration, 60_000))
        })
      )
    )
    assert.deepStrictEqual(
      findings.map(({ detail, state, subject }) => [subject, state, detail.replace(/[\d.]+ US/u, "… US")]),
      [
        ["CoinGecko", "waiting", "does not respond: it rejected the request with HTTP status 401"],
        ["DefiLlama", "ok", "responds; the price of 1 BTC is … US dollars"]
      ]
    )
  })
})

describe("Across", () => {
  it("is reported with its fees, and waits if it returns none", async () => {
    const findings = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const api = yield* serveAcrossApi
          const rpcSetting = (chainId: number) => ({ [`RPC_URL_${chainId}`]: "http://127.0.0.1:1" })
          const configuration = yield* Effect.promise(() =>
            configurationFrom({
              ...COMPLETE_SETTINGS,
              ...rpcSetting(8453),
              ACROSS_API_KEY: "a-secret-key",
              ACROSS_URL: api.url
            })
          )
          const findingsEffect = Effect.map(observeAcross(configuration, 60_000), diagnoseAcross)
          const healthyFindings = yield* findingsEffect
          api.inject({ _tag: "Answer", status: 401, text: "{}" })
          return [...healthyFindings, ...(yield* findingsEffect)]
        })
      )
    )
    assert.deepStrictEqual(
      findings.map(({ detail, state }) => [state, detail]),
      [
        ["ok", "responds; a transfer from Base to Ethereum takes 2 s"],
        ["waiting", "returns no fees: it responded with HTTP status 401"]
      ]
    )
    const observations = await Effect.runPromise(observeAcross(await configurationFrom(COMPLETE_SETTINGS), 60_000))
    assert.deepStrictEqual(diagnoseAcross(observations), [])
  })
})

describe("aggregators", () => {
  it("are reported by whether they answer, and quotes continue if one does not", async () => {
    const kyberSwap = await startKyberSwapServer(() => "http://127.0.0.1:1")
    const lifi = await startLiFiServer()
    const velora = await startVeloraServer(() => "http://127.0.0.1:1")
    const configuration = await configurationFrom({
      ...COMPLETE_SETTINGS,
      SWAP_AGGREGATORS: "kyberswap,lifi,velora",
      VELORA_URL: velora.url,
      KYBERSWAP_URL: kyberSwap.url,
      LIFI_URL: lifi.url,
      LIFI_API_KEY: "a-secret-key"
    })
    kyberSwap.injected.push({ status: 503, text: "{}" })
    velora.injected.push({ status: 200, text: '{"priceRoute":{}}' }, { status: 429, text: "{}" })
    lifi.injected.push({ status: 200, text: '{"exchanges":[],"bridges":[]}' }, { status: 401, text: "{}" })
    const summariesOf = async () => {
      const findings = diagnoseAggregators(await Effect.runPromise(observeAggregators(configuration, 60_000)))
      return findings.map(({ detail, state, subject }) => [subject, state, detail])
    }
    assert.deepStrictEqual(await summariesOf(), [
      ["KyberSwap", "waiting", "does not respond: it responded with HTTP status 503"],
      ["LI.FI", "ok", "responds"],
      ["Velora", "ok", "responds"]
    ])
    kyberSwap.injected.push({ status: 200, text: '{"code":0}' })
    assert.deepStrictEqual(await summariesOf(), [
      ["KyberSwap", "ok", "responds"],
      ["LI.FI", "waiting", "does not respond: it rejected the request with HTTP status 401"],
      ["Velora", "waiting", "does not respond: it limits the rate of requests"]
    ])
    assert.match(velora.requests[0]!.target, /^\/prices\?srcToken=0xEeee\w+&srcDecimals=18&destToken=0xa0b8\w+/u)
    // Doctor requests no quotes from LI.FI, which limits their number.
    assert.deepStrictEqual(
      lifi.requests.map(({ path }) => path),
      ["/tools", "/tools"]
    )
    await Promise.all([kyberSwap.stop(), lifi.stop(), velora.stop()])
  })
})

describe("order books", () => {
  it("are reported with their version, and orders wait if one does not respond", async () => {
    const responses = [
      { status: 200, text: "v2.309.0" },
      { status: 200, text: '"<script>"' },
      { status: 503, text: "{}" }
    ]
    const paths: Array<string | undefined> = []
    const server = createServer(({ url }, response) => {
      paths.push(url)
      // A read that failed is retried.
      const { status, text } = responses.length > 1 ? responses.shift()! : responses[0]!
      response.writeHead(status).end(text)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
    const { port } = server.address() as AddressInfo
    const configuration = await configurationFrom({ ...COMPLETE_SETTINGS, COW_API_URL: `http://127.0.0.1:${port}` })
    const settings = { ...configuration.settings, activeChains: () => [8453 as const, 10 as const] }
    const summariesOf = async () => {
      const states = await Effect.runPromise(observeOrderBooks({ ...configuration, settings }, 60_000))
      return diagnoseOrderBooks(states).map(({ detail, state, subject }) => [subject, state, detail])
    }
    // OP Mainnet has no CoW Protocol order book.
    assert.deepStrictEqual(await summariesOf(), [["order book of Base", "ok", "responds; version v2.309.0"]])
    assert.deepStrictEqual(await summariesOf(), [["order book of Base", "ok", "responds"]])
    assert.deepStrictEqual(await summariesOf(), [
      ["order book of Base", "waiting", "does not respond: it responded with HTTP status 503"]
    ])
    assert.strictEqual(paths[0], "/base/api/v1/version")
    server.close()
  })
})

describe("transfers of wallets", () => {
  const progress = aWatchProgress({ headNumber: 100, headSeenAt: DateTime.toEpochMillis(NOW) - 3_000 })
  const settings = { activeChains: () => [137 as const] }
  const summariesOf = (changes: Partial<typeof progress>, policy: Partial<NonNullable<Settings["activity"]>> = {}) => {
    const activity = { isOn: true, withNativeToken: true, backfillBlocks: 0, ...policy }
    const chains = [
      { chainId: 137, progress: { ...progress, ...changes }, version: 1 },
      { chainId: 1, progress, version: 1 }
    ] as const
    return diagnoseActivity(observation(chains), { ...settings, activity }, NOW).map(({ detail, state }) => [
      state,
      detail
    ])
  }

  it("are ok while the chain is read, and reported as late if it is not", () => {
    assert.deepStrictEqual(summariesOf({}), [["ok", "searched up to block 100, 0 blocks and 3 s behind"]])
    const [lateSummary] = summariesOf({ headSeenAt: DateTime.toEpochMillis(NOW) - 600_000 })
    assert.deepStrictEqual(lateSummary, ["failing", "searched up to block 100, 0 blocks and 600 s behind"])
  })

  it("warn that internal transfers of native tokens are not detected, unless their detection is off", () => {
    const [blindSummary] = summariesOf({ seesInternalNativeToken: false })
    assert.strictEqual(blindSummary![0], "waiting")
    assert.include(blindSummary![1], "the node does not trace blocks")
    assert.strictEqual(summariesOf({ seesInternalNativeToken: false }, { withNativeToken: false })[0]![0], "ok")
  })

  it("are not detected if WATCH_TRANSFERS is off, and unknown without a database", () => {
    assert.deepStrictEqual(summariesOf({}, { isOn: false }), [["ok", "are not detected: WATCH_TRANSFERS is off"]])
    const [unknownFinding] = diagnoseActivity(noObservation("refused the connection"), settings, NOW)
    assert.deepStrictEqual(
      [unknownFinding!.state, unknownFinding!.detail],
      ["waiting", "unknown: refused the connection"]
    )
    const unstartedActivity = [{ chainId: 137, progress: null, version: 0 }] as const
    assert.strictEqual(diagnoseActivity(observation(unstartedActivity), settings, NOW)[0]!.state, "ok")
  })
})

describe("Esplora servers", () => {
  it("are reported with their height, and silent ones and those behind need a check", async () => {
    const esploraServers = [
      await startEsploraEmulator(),
      await startEsploraEmulator(),
      await startEsploraEmulator(),
      await startEsploraEmulator()
    ]
    const [, laggingServer, brokenServer, outdatedServer] = esploraServers
    outdatedServer!.state.tipTime -= 3 * 3_600
    laggingServer!.state.height -= 3
    brokenServer!.state.fault = { _tag: "Status", status: 500 }
    const configuration = await configurationFrom({
      ...COMPLETE_SETTINGS,
      ESPLORA_URLS: esploraServers.map(({ url }) => url).join(",")
    })
    const findings = diagnoseBitcoin(await Effect.runPromise(observeBitcoin(configuration)))
    for (const host of esploraServers) host.stop()
    assert.deepStrictEqual(
      findings.map(({ detail, state }) => [state, detail]),
      [
        ["ok", "responds; the latest block is 900000"],
        ["waiting", "is at block 899997, 3 blocks behind another server, so its balances are outdated"],
        ["waiting", "does not respond: it responded with HTTP status 500"],
        ["waiting", "is at block 900000, mined 180 minutes ago"],
        ["ok", "inclusion within 2 blocks costs 87.882 sat/vB"]
      ]
    )
    assert.deepStrictEqual(
      diagnoseBitcoin(await Effect.runPromise(observeBitcoin(await configurationFrom(COMPLETE_SETTINGS)))),
      []
    )
  })
})

describe("THORChain", () => {
  const findingsOf = (THORNODE_URL: string) =>
    Effect.gen(function* () {
      const configuration = yield* Effect.promise(() => configurationFrom({ ...COMPLETE_SETTINGS, THORNODE_URL }))
      return diagnoseThorchain(yield* observeThorchain(configuration, 60_000)).map(({ detail, state }) => [
        state,
        detail
      ])
    })

  it.live("is reported as working, halted, without a Bitcoin vault, or unreachable", () =>
    Effect.gen(function* () {
      const { state, url } = yield* thorNodeServer
      assert.deepStrictEqual(yield* findingsOf(url), [["ok", "responds, and accepts bitcoin deposits"]])
      state.inbounds = inboundsWith("BTC", { chain_trading_paused: true })
      const [[pausedState, pauseReason]] = (yield* findingsOf(url)) as [[string, string]]
      assert.strictEqual(pausedState, "waiting")
      assert.match(pauseReason, /does not accept bitcoin deposits: .*paused/u)
      state.inbounds = state.inbounds.filter((each) => (each as { readonly chain: string }).chain !== "BTC")
      assert.deepStrictEqual(yield* findingsOf(url), [["waiting", "reports no vault for bitcoin deposits"]])
      const [[unreachedState, reason]] = (yield* findingsOf("http://127.0.0.1:1")) as [[string, string]]
      assert.strictEqual(unreachedState, "waiting")
      assert.match(reason, /does not respond: /u)
    }).pipe(Effect.scoped)
  )
})

describe("unpaid gas", () => {
  const reportOf = (
    admission: UnpaidGasReport["admission"],
    fields: Partial<UnpaidGasReport> = {}
  ): UnpaidGasReport => ({
    ...aGasEntry({ walletAddress: address, owner: address }),
    count: 3,
    usdE6: 6_000_000n,
    currentUsdE6: 5_500_000n,
    lastAt: secondsAgo(60),
    admission,
    ...fields
  })
  const allowedDecision = { _tag: "Allowed", turn: null } as const
  const stoppedDecision = (scope: "wallet" | "project") =>
    ({ _tag: "Refused", scope, state: "STOPPED", retryAfterSeconds: 3_600 }) as const
  const totals = [{ chainId: 137, count: 1, wei: 1n, usdE6: 6_005_999n }] as const

  it("is reported in one line if no wallet is rejected", () => {
    const summariesOf = (state: Parameters<typeof observation<{ totals: typeof totals | []; reports: [] }>>[0]) =>
      diagnoseUnpaidGas(observation(state), NOW).map(({ detail, state }) => [state, detail])
    assert.deepStrictEqual(summariesOf({ totals: [], reports: [] }), [
      ["ok", "no gas was left unpaid in the last two days"]
    ])
    assert.deepStrictEqual(summariesOf({ totals, reports: [] }), [["ok", "$6 of 1 operation in the last two days"]])
  })

  it("names each rejected wallet once, and until when", () => {
    const reports = [
      reportOf(allowedDecision),
      reportOf(stoppedDecision("wallet")),
      reportOf(stoppedDecision("wallet"), { chainId: 1 })
    ]
    const [, finding, ...others] = diagnoseUnpaidGas(observation({ totals, reports }), NOW)
    assert.deepStrictEqual(others, [])
    assert.deepStrictEqual(finding, {
      subject: `unpaid gas of wallet ${address}`,
      state: "waiting",
      detail: "has exceeded its budget: its operations that pay gas with tokens are rejected",
      waitsFor: "enough of its unpaid gas to expire",
      since: "2026-06-01T11:59:00.000Z",
      byItself: "Its operations are accepted again after 2026-06-01T13:00:00.000Z.",
      whatToDo: `See \`countersign operator unpaid-gas\`. To accept them now: countersign operator forgive --wallet ${address}`
    })
  })

  it("fails if all wallets of a project are rejected", () => {
    const report = reportOf(stoppedDecision("project"))
    const findings = diagnoseUnpaidGas(observation({ totals, reports: [report] }), NOW)
    assert.deepStrictEqual(subjectsAndStates(findings), [
      ["unpaid gas", "ok"],
      [`unpaid gas of project ${report.projectId}`, "failing"]
    ])
  })

  it("is unknown without a database", () => {
    const [finding] = diagnoseUnpaidGas(noObservation("refused the connection"), NOW)
    assert.deepStrictEqual([finding!.state, finding!.detail], ["waiting", "unknown: refused the connection"])
  })
})

describe("a check", () => {
  it("that fails or takes too long states why, without URLs", async () => {
    const failure = Effect.die(new Error("no route to https://node.example/key\n    at somewhere"))
    const checks = Effect.all([
      observe(failure, "1 second"),
      observe(Effect.never, "10 millis"),
      observe(Effect.succeed(1), "1 second")
    ])
    assert.deepStrictEqual(await Effect.runPromise(checks), [
      noObservation("no route to [URL]"),
      noObservation("no response in time"),
      observation(1)
    ])
  })

  it("is shown on a terminal while it runs", async () => {
    const lines: Array<string> = []
    const progress = onTerminal((text) => lines.push(text))
    const bothChecks = Effect.all([progress("nodes", Effect.yieldNow), progress("the database", Effect.void)], {
      concurrency: 2
    })
    await Effect.runPromise(bothChecks)
    assert.strictEqual(lines[0], "\r\u001b[2KChecking nodes")
    assert.include(lines, "\r\u001b[2KChecking nodes; the database")
    assert.strictEqual(lines.at(-1), "\r\u001b[2K")
  })
})

describe("diagnoseMoves", () => {
  it("has a finding for each project that is moved, and none if the database does not respond", () => {
    const move = {
      projectId: ProjectId.make("00000000-0000-4000-8000-000000000001"),
      projectName: "Shop",
      target: "db2/countersign"
    } as const
    const states = ["MOVING", "MOVED", "ARRIVING"] as const
    const findings = diagnoseMoves(observation(states.map((state) => ({ ...move, state }))))
    assert.deepStrictEqual(
      findings.map(({ detail, state }) => [state, detail]),
      [
        ["waiting", "is paused while it moves to db2/countersign"],
        ["ok", "moved to db2/countersign; its requests to this database get 503"],
        ["waiting", "is paused while it moves to this database"]
      ]
    )
    assert.include(findings[0]?.whatToDo, 'countersign project move "Shop" --cancel')
    assert.deepStrictEqual(diagnoseMoves(noObservation("did not respond in time")), [])
  })
})

describe("the report", () => {
  it("contains a line for each finding, and a block for each that is not ok", () => {
    const hash = `0x${"12345678".repeat(8)}`
    const okFinding: Finding = {
      subject: "database",
      state: "ok",
      detail: "responds",
      waitsFor: null,
      since: null,
      byItself: null,
      whatToDo: null
    }
    const lateFinding: Finding = {
      ...okFinding,
      subject: `operation ${hash}`,
      state: "failing",
      detail: "past its deadline of 2026-06-01T12:00:00.000Z, and not in a block; on Ethereum",
      waitsFor: "an execution worker",
      whatToDo: "Make sure that `countersign serve` runs on this database. The wallet's owner needs a new quote soon."
    }
    assert.strictEqual(
      report([okFinding, lateFinding], 100),
      `WHAT                       STATE    DETAIL
database                   ok       responds
operation 0x123456…345678  failing  past its deadline of 2026-06-01T12:00:00.000Z, and not in a blo…

operation ${hash}: failing
  seen       past its deadline of 2026-06-01T12:00:00.000Z, and not in a block; on Ethereum
  waits for  an execution worker
  to do      Make sure that \`countersign serve\` runs on this database. The wallet's owner needs a
             new quote soon.`
    )
  })
})

describe("webhooks of banks", () => {
  const findingsOf = (count: number) =>
    diagnoseUnknownFiat({
      _tag: "Seen",
      value: Array.from({ length: count }, (_, nth) => ({
        provider: "blindpay",
        providerOrder: `pi_${nth}`,
        times: 1,
        firstAt: DateTime.subtract(NOW, { hours: nth }),
        lastAt: NOW
      }))
    })

  it("are reported if they name unknown orders", () => {
    assert.deepStrictEqual(findingsOf(0), [])
    const [finding, ...others] = findingsOf(5)
    assert.deepStrictEqual(others, [])
    assert.strictEqual(finding?.state, "waiting")
    assert.match(finding!.detail, /^5 orders .*: blindpay pi_0, blindpay pi_1, blindpay pi_2 and 2 more$/u)
    assert.strictEqual(finding!.since, DateTime.formatIso(DateTime.subtract(NOW, { hours: 4 })))
  })
})

describe("verifications", () => {
  const waitingFindingOf = (status: "IN_REVIEW" | "VERIFYING", hours: number) =>
    diagnoseReviews(
      {
        _tag: "Seen",
        value: [{ status, count: 2, oldestAt: DateTime.subtract(NOW, { hours }) }]
      },
      NOW
    )[0]!

  it("are ok while they wait for a reviewer for less than a day", () => {
    assert.deepInclude(waitingFindingOf("IN_REVIEW", 23), { state: "ok", subject: "verifications IN_REVIEW" })
    assert.match(waitingFindingOf("VERIFYING", 1).detail, /2 sessions, for the verification provider/u)
    assert.deepStrictEqual(diagnoseReviews({ _tag: "Seen", value: [] }, NOW), [])
  })

  it("are reported as waiting after that", () => {
    const { detail, state, waitsFor, whatToDo } = waitingFindingOf("IN_REVIEW", 25)
    assert.deepStrictEqual([state, waitsFor], ["waiting", "a reviewer"])
    assert.match(detail, /2 sessions, the oldest for more than a day/u)
    assert.match(whatToDo!, /identity show/u)
  })
})
