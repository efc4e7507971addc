import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SandboxChains, sandboxService, sandboxSettings, signEndpoint } from "@countersign/adapters/sandbox"
import { Extensions, layerServices, type Settings } from "@countersign/adapters/service/composition"
import {
  ExecutionRunner,
  OperatorAccountKeeper,
  OperatorAccountNews,
  PoolIndexer,
  TaxExporter
} from "@countersign/adapters/service/workers"
import { type EvmChainId, evmChainIds } from "@countersign/core/foundation/chains"
import { Address } from "@countersign/core/foundation/primitives"
import { UnpaidGasLedger } from "@countersign/core/operations/unpaid-gas"
import { type ProjectId, Projects, type Scope, scopes } from "@countersign/core/tenancy/projects"
import { layerHttpService, layerWebhookDelivery, ReferenceOfSandbox, type SandboxReference } from "@countersign/http"
import { Deferred, Effect, Layer, Logger, ManagedRuntime } from "effect"
import { HttpServer } from "effect/http"
import { PATIENT_RPC } from "../../../adapters/test/evm/patientRpc.ts"
import { waitUntil } from "../../../core/test/support/until.ts"
import { sign, signByHash, signOperations } from "./sign.ts"

export interface TestResponse {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the tests read bodies as a client without generated types does.
  readonly body: any
}

const createHome = () => mkdtempSync(join(tmpdir(), "countersign-http-"))

/** Timeouts that even a busy machine does not exceed. */
const testLimits = {
  rpc: PATIENT_RPC,
  providerTimeoutMs: 120_000,
  requestTimeoutMs: 240_000
}

export interface TestServiceOptions
  extends Pick<Settings, "onRpcRequest" | "rpcLimits" | "finality">,
    Partial<
      Pick<
        Settings,
        | "webhooks"
        | "unpaidGasLimits"
        | "firstUseOfGasToken"
        | "nfts"
        | "bitcoin"
        | "aggregators"
        | "bridge"
        | "sumsub"
        | "documentsS3"
        | "backupTarget"
        | "isFourEyes"
      >
    > {
  /** Returns the node URLs of a chain from the sandbox's own URL, so that a test can insert a proxy. */
  readonly rpcUrls?: (sandboxUrl: string) => ReadonlyArray<string>
  /** Seconds for which quotes can be signed, for tests that request many quotes before the first execution. */
  readonly quoteSeconds?: number
  /** Enables the sandbox's Bridge in addition to its BlindPay. */
  readonly hasBridge?: boolean
  /**
   * Whether to serve like `countersign sandbox start`: its pages contain the key, and the service signs for the
   * demonstration owners.
   */
  readonly asSandbox?: boolean
}

const layerAsSandbox = (reference: Deferred.Deferred<SandboxReference>) =>
  Layer.merge(
    Layer.succeed(ReferenceOfSandbox, Deferred.await(reference)),
    Layer.succeed(Extensions, [{ endpoints: [signEndpoint] }])
  )

/** Starts the complete service on its own sandbox. Tests call it over HTTP on a real socket. */
export const startTestService = async ({
  rpcUrls = (url) => [url],
  asSandbox = false,
  hasBridge = false,
  quoteSeconds,
  ...options
}: TestServiceOptions = {}) => {
  const folder = createHome()
  const logLines: Array<string> = []
  const captureLogger = Logger.map(Logger.formatJson, (line) => void logLines.push(line))
  let isNodeDown = false
  const reference = Deferred.makeUnsafe<SandboxReference>()

  const sandboxRuntime = ManagedRuntime.make(SandboxChains.layer({ home: folder, eager: [1] }))
  const chains = await sandboxRuntime.runPromise(SandboxChains)
  const service = Layer.unwrap(
    Effect.sync(() => {
      const { bridge, ...settings } = sandboxSettings(
        {
          home: folder,
          rpcUrl: (id) => (isNodeDown ? "http://127.0.0.1:1" : chains.rpcUrl(id)),
          runningChains: () => evmChainIds.filter(chains.isRunning),
          clockOffsetSeconds: chains.clockOffsetSeconds,
          keys: chains.keys,
          paymasters: chains.paymasters
        },
        { soleProcess: true }
      )
      const testSettings: Settings = {
        ...settings,
        quotes: { ...settings.quotes, ...(quoteSeconds === undefined ? {} : { quoteSeconds }) },
        swap: { ...settings.swap, providerTimeoutMs: testLimits.providerTimeoutMs },
        ...(hasBridge && bridge !== undefined ? { bridge } : {}),
        ...options,
        rpcLimits: { ...testLimits.rpc, ...options.rpcLimits },
        rpcUrls: (id) => settings.rpcUrls(id).flatMap(rpcUrls)
      }
      return layerWebhookDelivery("test").pipe(
        Layer.provideMerge(
          layerHttpService({
            port: 0,
            host: "127.0.0.1",
            requestTimeoutMs: testLimits.requestTimeoutMs,
            // Long, because on a busy machine a request may arrive while an idle connection is being closed.
            keepAliveTimeoutMs: testLimits.requestTimeoutMs,
            ...(asSandbox ? { allowedHosts: [] } : {})
          })
        ),
        Layer.merge(ExecutionRunner.layer("test")),
        Layer.merge(OperatorAccountKeeper.layer),
        Layer.merge(OperatorAccountNews.layer),
        Layer.merge(PoolIndexer.layer),
        Layer.merge(TaxExporter.layer("test")),
        Layer.provideMerge(layerServices(testSettings)),
        Layer.provide(asSandbox ? layerAsSandbox(reference) : Layer.empty)
      )
    })
  ).pipe(Layer.provideMerge(Logger.layer([captureLogger])))

  const start = async () => {
    const startedRuntime = ManagedRuntime.make(service)
    const url = await startedRuntime.runPromise(HttpServer.addressFormattedWith((address) => Effect.succeed(address)))
    chains.serveBy(await startedRuntime.runPromise(sandboxService))
    return { started: startedRuntime, url }
  }
  let { started: runtime, url: baseUrl } = await start()

  const createProject = (treasury: Address | null, grantedScopes: ReadonlyArray<Scope> = scopes) =>
    runtime.runPromise(
      Effect.gen(function* () {
        const projects = yield* Projects
        const project = yield* projects.create(`test ${randomUUID()}`, treasury)
        const makeKey = (scopes: ReadonlyArray<Scope>) =>
          projects.createKey(project.id, { name: "test", environment: "test", scopes, expiresAt: null })
        const createdKey = yield* makeKey(grantedScopes)
        return {
          project,
          apiKey: createdKey.text,
          keyId: createdKey.key.id,
          /** Creates another key of the project. Returns its text. */
          keyWith: async (scopes: ReadonlyArray<Scope>) => (await runtime.runPromise(makeKey(scopes))).text
        }
      })
    )
  /** Sets the remaining compute units of a project. */
  const setComputeUnits = (id: ProjectId, computeUnits: number | null) =>
    runtime.runPromise(Projects.use((projects) => projects.update(id, { computeUnits })))

  const revokeKey = (keyId: string) =>
    runtime.runPromise(Effect.flatMap(Projects, (projects) => projects.revokeKey(keyId)))

  const { apiKey, project } = await createProject(chains.keys.treasury.address)
  await runtime.runPromise(Deferred.succeed(reference, { apiKey, examples: Effect.succeed({}) }))

  const request = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {}
  ): Promise<TestResponse> => {
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        "x-api-key": apiKey,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    const text = await response.text()
    const isJson = response.headers.get("content-type")?.includes("json") === true
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
  }

  const awaitSettled = async (walletAddress: string, userOperationHash: string) => {
    const path = `/api/v1/wallets/${walletAddress}/history?userOperationHash=${userOperationHash}`
    return waitUntil(
      async () => (await request("GET", path)).body.transactions[0],
      (transaction) => transaction !== undefined && transaction.status !== "PROCESSING"
    )
  }

  const fundOn = (chainId: EvmChainId, address: string, token: string, amount: bigint) =>
    runtime.runPromise(
      chains.fund(chainId, Address.make(address), token === "native" ? token : Address.make(token), amount)
    )

  return {
    /** Folder of the service's database. */
    home: folder,
    get baseUrl() {
      return baseUrl
    },
    apiKey,
    project,
    chains,
    run: <A, E>(effect: Effect.Effect<A, E, ManagedRuntime.ManagedRuntime.Services<typeof runtime>>) =>
      runtime.runPromise(effect),
    request,
    newProject: createProject,
    setComputeUnits,
    revokeKey,
    logLines,
    sign,
    signatures: signOperations,
    signaturesByHash: signByHash,
    settled: awaitSettled,
    fund: (address: string, token: string, amount: bigint) => fundOn(1, address, token, amount),
    fundOn,
    /** Reads the unpaid gas by wallet and chain. */
    gasEntries: () => runtime.runPromise(UnpaidGasLedger.use((ledger) => ledger.report(null))),
    forgive: (address: string) =>
      runtime.runPromise(
        UnpaidGasLedger.use((ledger) => ledger.forgive({ _tag: "Wallet", address: Address.make(address) }))
      ),
    advanceClock: (seconds: number) => runtime.runPromise(chains.advanceClock(seconds)),
    takeNodeDown: (isDown: boolean) => {
      isNodeDown = isDown
    },
    /** Stops the service, even during operations, and starts it again on the same database and chains. */
    restart: async (meanwhile: () => void | Promise<void> = () => undefined) => {
      await runtime.dispose()
      await meanwhile()
      ;({ started: runtime, url: baseUrl } = await start())
    },
    stop: async () => {
      await runtime.dispose()
      await sandboxRuntime.dispose()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

export type TestService = Awaited<ReturnType<typeof startTestService>>
