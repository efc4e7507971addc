import { sandboxKeys } from "@countersign/adapters/sandbox"
import type { Settings } from "@countersign/adapters/service/composition"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { FaultProxy, type NodeFault } from "../../adapters/test/faults/FaultProxy.ts"
import { waitUntil } from "../../core/test/support/until.ts"
import { signOperations } from "../../http/test/support/sign.ts"
import { examine, type Finding, readConfiguration, withoutProgress } from "../src/doctor/index.ts"
import {
  assertCode,
  type Json,
  type Outcome,
  type RunningSandbox,
  removeHome,
  run,
  startSandbox,
  temporaryHome
} from "./support/commandLine.ts"

/** Tests the report of `countersign doctor` about a service whose node has a fault. */

const home = temporaryHome()
const ownHome = temporaryHome()
let sandbox: RunningSandbox
let preferredNode: FaultProxy
let otherNode: FaultProxy

const nodeUrl = () => `${sandbox.file.gatewayUrl}/chains/1`

beforeAll(async () => {
  preferredNode = await FaultProxy.start(nodeUrl)
  otherNode = await FaultProxy.start(nodeUrl)
  sandbox = await startSandbox(home)
})
afterAll(async () => {
  await sandbox.stop()
  await Promise.all([preferredNode.stop(), otherNode.stop()])
  removeHome(home)
  removeHome(ownHome)
})

const hostOf = ({ url }: FaultProxy): string => new URL(url).host

/** The default time limits of doctor. */
const DEFAULT_LIMITS = { timeoutMs: 8_000, deadlineMs: 8_500 }
/** Short time limits, so that a node that does not respond does not delay the test. */
const SHORT_LIMITS = { timeoutMs: 500, deadlineMs: 1_500 }

/** Returns all findings about a service with these settings. Doctor runs in this process. */
const runDoctor = (environment: Readonly<Record<string, string>>, changes: Partial<Settings> = {}) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const configuration = yield* readConfiguration
      const settings = { ...configuration.settings, rpcLimits: DEFAULT_LIMITS, ...changes }
      return yield* examine({ ...configuration, settings }, withoutProgress)
    }).pipe(
      Effect.provideService(
        ConfigProvider.ConfigProvider,
        ConfigProvider.fromEnvRecord({ SECRETS_KEY: Buffer.alloc(32, "test").toString("base64"), ...environment })
      )
    )
  )

/**
 * Returns the settings of a separate service on the sandbox's chain with the sandbox's keys. Its nodes are proxies that
 * can inject faults.
 */
const ownServiceSettings = (...nodes: ReadonlyArray<FaultProxy>) => ({
  COUNTERSIGN_HOME: ownHome,
  RPC_URL_1: nodes.map(({ url }) => `${url}/secret-path?key=secret-key`).join(", "),
  OPERATOR_PRIVATE_KEYS_0_7: sandboxKeys().operators["0.7"].privateKey,
  OPERATOR_PRIVATE_KEYS_0_8: sandboxKeys().operators["0.8"].privateKey,
  PAYMASTER_SIGNER_PRIVATE_KEY: sandboxKeys().paymasterSigner.privateKey,
  PAYMASTER_TREASURY: sandboxKeys().treasury.address,
  COW_API_URL: `${sandbox.file.gatewayUrl}/cow`,
  PAYMASTER_ADDRESS_0_7: sandbox.file.paymasters["0.7"],
  PAYMASTER_ADDRESS_0_8: sandbox.file.paymasters["0.8"]
})

const findingOf = (findings: ReadonlyArray<Finding>, subject: string): Finding => {
  const match = findings.find((finding) => finding.subject === subject)
  assert.isDefined(match, `${subject} is not among ${findings.map((finding) => finding.subject).join(", ")}`)
  return match!
}

const nodeFindingOf = (findings: ReadonlyArray<Finding>, proxy: FaultProxy) =>
  findingOf(findings, `Ethereum node ${hostOf(proxy)}`)

interface FaultCase {
  readonly name: string
  readonly fault: NodeFault
  readonly detail: string
  readonly waitsFor: (host: string) => string
  readonly again: string
  readonly whatToDo: string
}

const responseWait = (host: string) => `a usable response of ${host}`
const rateWait = (host: string) => `${host} to accept requests again`
const RETRY_SENTENCE = "The service queries this node again every 1 to 30 s."
const NOT_JSON_RPC = {
  detail: "returned a response that is not JSON-RPC: a web page, invalid JSON, or the response of another service",
  waitsFor: responseWait,
  again: RETRY_SENTENCE,
  whatToDo: "Check the URL in RPC_URL_1: a login page, a proxy or another service responds at this URL."
}

const faultCases: ReadonlyArray<FaultCase> = [
  {
    name: "hangs",
    fault: { _tag: "Hangs" },
    detail: "did not respond within 0.5 s",
    waitsFor: responseWait,
    again: RETRY_SENTENCE,
    whatToDo: "Check whether the host in RPC_URL_1 is overloaded or down, or set another one."
  },
  {
    name: "resets connections",
    fault: { _tag: "ConnectionReset" },
    detail: "closed the connection without a response",
    waitsFor: responseWait,
    again: RETRY_SENTENCE,
    whatToDo: "Check the host and the port of the URL in RPC_URL_1, and that this machine can reach it."
  },
  {
    name: "answers 429 without Retry-After",
    fault: { _tag: "Status", status: 429 },
    detail: "limits the request rate (HTTP status 429), without a retry time",
    waitsFor: rateWait,
    again: RETRY_SENTENCE,
    whatToDo: "Ask its provider for a higher limit, or add another host to RPC_URL_1."
  },
  {
    name: "answers 429 with Retry-After",
    fault: { _tag: "Status", status: 429, retryAfter: "20" },
    detail: "limits the request rate (HTTP status 429); retry after 20 s",
    waitsFor: rateWait,
    again: "The service queries this node again after 20 s.",
    whatToDo: "Ask its provider for a higher limit, or add another host to RPC_URL_1."
  },
  {
    name: "answers 429 with a Retry-After longer than the service waits",
    fault: { _tag: "Status", status: 429, retryAfter: "3600" },
    detail: "limits the request rate (HTTP status 429); retry after 3600 s",
    waitsFor: rateWait,
    again: "The service queries this node again after 30 s.",
    whatToDo: "Ask its provider for a higher limit, or add another host to RPC_URL_1."
  },
  {
    name: "answers 500",
    fault: { _tag: "Status", status: 500 },
    detail: "responded with HTTP status 500",
    waitsFor: responseWait,
    again: RETRY_SENTENCE,
    whatToDo: "Check whether the host in RPC_URL_1 is overloaded or down, or set another one."
  },
  {
    name: "answers 403",
    fault: { _tag: "Status", status: 403 },
    detail: "responded with HTTP status 403",
    waitsFor: responseWait,
    again: RETRY_SENTENCE,
    whatToDo: "Check the path and the key of the URL in RPC_URL_1."
  },
  {
    name: "answers JSON of another service",
    fault: { _tag: "Says", text: '{"status":"ok"}', contentType: "application/json" },
    ...NOT_JSON_RPC
  },
  {
    name: "answers broken JSON",
    fault: { _tag: "Says", text: '{"jsonrpc":"2.0",', contentType: "application/json" },
    ...NOT_JSON_RPC
  },
  {
    name: "answers a web page",
    fault: { _tag: "Says", text: "<!doctype html><title>Sign in</title>", contentType: "text/html" },
    ...NOT_JSON_RPC
  },
  {
    name: "serves another chain",
    fault: { _tag: "OtherChain", chainId: 56 },
    detail: "is a node of chain 56 (BNB Smart Chain), not of chain 1 (Ethereum)",
    waitsFor: () => "a node of Ethereum at that URL",
    again: "The service does not use this node, and checks its chain id every 30 s.",
    whatToDo: "Set RPC_URL_1 to the URL of a node of Ethereum."
  }
]

describe("doctor, for a node that", () => {
  const withFault = async (fault: NodeFault, nodes: ReadonlyArray<FaultProxy>) => {
    preferredNode.fault = fault
    try {
      return await runDoctor(ownServiceSettings(...nodes), fault._tag === "Hangs" ? { rpcLimits: SHORT_LIMITS } : {})
    } finally {
      preferredNode.fault = { _tag: "None" }
    }
  }

  it.each(faultCases)("$name, with a second node", async ({ again, detail, fault, waitsFor, whatToDo }) => {
    const usesOtherNode = ({ subject }: Finding) =>
      subject.includes("Ethereum") && !subject.includes(hostOf(preferredNode))
    // On a slow machine the other node may also exceed its time limit.
    const findings = await waitUntil(
      () => withFault(fault, [preferredNode, otherNode]),
      (all) => all.filter(usesOtherNode).every(({ state }) => state === "ok")
    )
    assert.isNotEmpty(findings.filter(usesOtherNode))
    assert.deepStrictEqual(nodeFindingOf(findings, preferredNode), {
      subject: `Ethereum node ${hostOf(preferredNode)}`,
      state: "failing",
      detail,
      waitsFor: waitsFor(hostOf(preferredNode)),
      since: null,
      byItself: `The service uses ${hostOf(otherNode)} instead. ${again}`,
      whatToDo
    })
  })

  it.each(faultCases)("$name, without a second node", async ({ again, detail, fault, whatToDo }) => {
    const findings = await withFault(fault, [preferredNode])
    const { byItself, ...node } = nodeFindingOf(findings, preferredNode)
    assert.deepStrictEqual([node.state, node.detail, node.whatToDo], ["failing", detail, whatToDo])
    assert.strictEqual(
      byItself,
      `${again} Until then quotes on Ethereum return SWAP_QUOTE. Submitted operations wait, and continue automatically until their deadlines.`
    )
    const bundler = findingOf(findings, "Ethereum bundler 0.7")
    assert.deepStrictEqual([bundler.state, bundler.waitsFor], ["waiting", "a node of Ethereum"])
  })

  it("is well, reports the missing database", async () => {
    const findings = await runDoctor(ownServiceSettings(preferredNode, otherNode))
    const badSubjects = findings.filter(({ state }) => state !== "ok").map(({ subject }) => subject)
    assert.deepStrictEqual(badSubjects, ["database"])
    assert.match(
      nodeFindingOf(findings, otherNode).detail,
      /^block \d+ of \d{4}-\d\d-\d\dT[\d:.]+Z; simulates with debug_traceCall$/u
    )
    assert.match(
      findingOf(findings, "Ethereum paymaster 0.8").detail,
      /^10000 ETH deposited, enough for .* operations; /u
    )
    assert.notMatch(JSON.stringify(findings), /secret/u)
  })

  it("has an invalid URL next to it in the settings, reports both", async () => {
    const environment = ownServiceSettings(preferredNode)
    const findings = await runDoctor({ ...environment, RPC_URL_1: `${environment.RPC_URL_1}, a secret of no form` })
    const setting = findingOf(findings, "setting RPC_URL_1")
    assert.deepStrictEqual(
      [setting.state, setting.detail],
      ["failing", 'is not a list of http and https URLs, separated by commas, or the word "public"']
    )
    for (const subject of [
      `Ethereum node ${hostOf(preferredNode)}`,
      "Ethereum bundler 0.7",
      "Ethereum paymaster 0.7"
    ]) {
      assert.strictEqual(findingOf(findings, subject).state, "ok", subject)
    }
    assert.notMatch(JSON.stringify(findings), /secret/u)
  })

  it("is 20 blocks behind another, reports the distance", async () => {
    await callAnvil("anvil_mine", "0x14")
    const findings = await withFault({ _tag: "Lags", blocks: 20 }, [preferredNode, otherNode])
    const node = nodeFindingOf(findings, preferredNode)
    assert.deepStrictEqual([node.state, node.since], ["waiting", node.detail.match(/of (\S+Z),/u)?.[1]])
    assert.match(node.detail, /^LAGGING: block \d+ of \S+Z, 20 blocks behind the chain's other nodes$/u)
    assert.strictEqual(node.waitsFor, `${hostOf(preferredNode)} to catch up`)
    assert.strictEqual(node.byItself, "The service uses this node last until it has caught up.")
    assert.strictEqual(node.whatToDo, "If it stays behind, repair the node, or remove it from RPC_URL_1.")
    assert.strictEqual(nodeFindingOf(findings, otherNode).state, "ok")
  })
})

describe("doctor, for the requirements of operations,", () => {
  const UNUSED_ADDRESS = `0x${"0".repeat(38)}99`

  it("reports that the operator has no native tokens, that a paymaster does not list it, and that another is not deployed", async () => {
    const findings = await runDoctor({
      ...ownServiceSettings(preferredNode, otherNode),
      OPERATOR_PRIVATE_KEYS_0_7: `0x${"0".repeat(63)}7`,
      PAYMASTER_ADDRESS_0_8: UNUSED_ADDRESS
    })
    const bundler = findingOf(findings, "Ethereum bundler 0.7")
    const operator = "0xd41c057fd1c78805aac12b0a94a405c0461a6fbb"
    assert.strictEqual(bundler.detail, `0 ETH, less than one operation may cost; operator ${operator}`)
    const paymaster = findingOf(findings, "Ethereum paymaster 0.8")
    assert.strictEqual(paymaster.detail, `its contract is not deployed; paymaster ${UNUSED_ADDRESS}`)
    assert.deepStrictEqual(
      [bundler, paymaster].map(({ state, waitsFor }) => [state, waitsFor]),
      [
        ["failing", "native tokens on Ethereum for the operator"],
        ["failing", "the remaining steps of its setup"]
      ]
    )
    assert.match(
      bundler.byItself ?? "",
      /^Accepted operations wait\. The service sends them once the operator has native tokens/u
    )
    assert.match(bundler.whatToDo ?? "", /^Send 0\.\d+ ETH or more to 0xd41c057f[0-9a-f]{32} on Ethereum\.$/u)
    assert.match(paymaster.whatToDo ?? "", /paymaster deploy --chain 1/u)
    const paymasterFinding = findingOf(findings, "Ethereum paymaster 0.7")
    assert.deepStrictEqual(
      [paymasterFinding.state, paymasterFinding.detail.startsWith(`it does not list ${operator};`)],
      ["failing", true]
    )
  })
})

const callAnvil = async (method: string, ...params: ReadonlyArray<unknown>): Promise<Json> => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const response = (await (
    await fetch(nodeUrl(), { method: "POST", headers: { "content-type": "application/json" }, body })
  ).json()) as Json
  assert.isUndefined(response.error, JSON.stringify(response.error))
  return response.result
}

describe("doctor, for the sandbox,", () => {
  const diagnoseSandbox = () => runDoctor({ COUNTERSIGN_HOME: home })

  /** Quotes, signs and executes an operation as a client does. Returns its hash. */
  const execute = async (): Promise<string> => {
    const [wallet] = sandbox.file.wallets
    const owner = sandbox.file.owners.find(({ address }: Json) => address === wallet.externallyOwnedAccount)
    const { USDC, WETH } = sandbox.file.tokens["1"]
    const quoteResponse = await sandbox.http("POST", "/api/v1/crypto/swap", {
      walletAddress: wallet.walletAddress,
      toAddress: wallet.walletAddress,
      chainIdIn: 1,
      chainIdOut: 1,
      tokenIn: USDC,
      tokenOut: WETH,
      amountIn: "10",
      payGasFeeToken: USDC,
      gasFeePaymentMethod: "ADD_TO_AMOUNT",
      slippage: 10
    })
    assert.strictEqual(quoteResponse.status, 200, JSON.stringify(quoteResponse.body))
    const [{ signData, userOperationHash }] = quoteResponse.body.quotes
    const execution = await sandbox.http("POST", "/api/v1/crypto/execute-user-op", {
      userOperationHash,
      ...(await signOperations(owner.privateKey, signData))
    })
    assert.strictEqual(execution.status, 200, JSON.stringify(execution.body))
    return userOperationHash
  }

  it("reports the progress of a swap: watched in its block, removed by a reorg of 6 blocks, watched again", async () => {
    // On a busy machine doctor may also report a node that did not respond in time.
    const findingsBefore = await waitUntil(diagnoseSandbox, (currentFindings) =>
      currentFindings.every(({ state }) => state === "ok")
    )
    assert.strictEqual(findingOf(findingsBefore, "configuration").detail, `the sandbox in ${home}`)

    const hash = await execute()
    const findingsAfterInclusion = await waitUntil(diagnoseSandbox, (currentFindings) =>
      currentFindings.some(({ subject }) => subject === "operations in blocks")
    )
    assert.deepStrictEqual(findingOf(findingsAfterInclusion, "operations in blocks"), {
      subject: "operations in blocks",
      state: "waiting",
      detail: "1 operation in blocks that are not final, watched",
      waitsFor: "more confirmations of their blocks",
      since: null,
      byItself:
        "The operations become final with their blocks. If a reorg removes a block, its operations become pending again.",
      whatToDo: "Nothing."
    })

    // Without automatic mining, the submitted operations stay in the mempool, so that the test can observe them.
    await callAnvil("evm_setAutomine", false)
    await callAnvil("anvil_reorg", 6, [])
    const startedAt = Date.now()
    // Doctor reports the problem twice: for the operator account and for the operation.
    const bothSubjects = ["Ethereum bundler 0.7's transactions", `operation ${hash}`]
    const findingsAfterReplacement = await waitUntil(diagnoseSandbox, (currentFindings) =>
      bothSubjects.every((expected) => currentFindings.some(({ subject }) => subject === expected))
    )
    const operation = findingOf(findingsAfterReplacement, `operation ${hash}`)
    assert.strictEqual(operation.state, "waiting")
    assert.match(
      operation.detail,
      /^a reorg removed the block of the operation, which is pending again; on Ethereum, transaction [0-9a-f-]{36}, /u
    )
    assert.isAtLeast(Date.parse(operation.since ?? ""), startedAt - 10_000)
    assert.strictEqual(operation.waitsFor, "inclusion in a block of Ethereum")
    assert.match(
      operation.byItself ?? "",
      /^The operation continues as soon as this is available\. If it is not in a block by \S+Z, it fails as/u
    )
    const transactionsFinding = findingOf(findingsAfterReplacement, "Ethereum bundler 0.7's transactions")
    assert.match(transactionsFinding.detail, /^1 transaction of the operator waits for a block, from nonce \d+ on$/u)
    assert.strictEqual(transactionsFinding.state, "waiting")

    await callAnvil("evm_setAutomine", true)
    await callAnvil("anvil_mine", "0x1")
    const findingsAfter = await waitUntil(diagnoseSandbox, (currentFindings) =>
      currentFindings.every(({ subject }) => subject !== `operation ${hash}`)
    )
    assert.strictEqual(findingOf(findingsAfter, "operations").state, "ok")
  })
})

describe("countersign doctor", () => {
  const FIELDS = ["subject", "state", "detail", "waitsFor", "since", "byItself", "whatToDo"]

  it("ends if every node hangs, and exits with an error", async () => {
    const hangingNode = await FaultProxy.start(nodeUrl)
    hangingNode.fault = { _tag: "Hangs" }
    const outcome: Outcome = await run(ownHome, ["doctor", "--json"], ownServiceSettings(hangingNode))
    await hangingNode.stop()
    assertCode(outcome, 4)
    const findings: ReadonlyArray<Finding> = JSON.parse(outcome.out)
    assert.deepStrictEqual(JSON.parse(outcome.err), {
      id: "CLI_REFUSED",
      message: `1 of ${findings.length} checks fail.`
    })
    for (const finding of findings) assert.deepStrictEqual(Object.keys(finding), FIELDS)
    assert.strictEqual(nodeFindingOf(findings, hangingNode).detail, "did not respond within 4 s")
    assert.notInclude(outcome.out, "secret")
  })

  it("truncates nothing if its output is piped, and gives details of each problem", async () => {
    preferredNode.fault = { _tag: "Status", status: 500 }
    const { code, out } = await run(ownHome, ["doctor"], ownServiceSettings(preferredNode, otherNode))
    preferredNode.fault = { _tag: "None" }
    assert.strictEqual(code, 4)
    assert.notInclude(out, "…")
    const host = hostOf(preferredNode).replaceAll(".", "\\.")
    assert.match(out, new RegExp(`^Ethereum node ${host} +failing +responded with HTTP status 500$`, "mu"))
    assert.match(
      out,
      new RegExp(`^Ethereum node ${host}: failing\n  seen       responded with HTTP status 500\n`, "mu")
    )
    assert.match(out, /^ {2}to do {6}Check whether the host in RPC_URL_1 is overloaded or down/mu)
  })
})
