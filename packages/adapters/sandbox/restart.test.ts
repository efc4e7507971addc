import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Address } from "@countersign/core/foundation/primitives"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { createPublicClient, http } from "viem"
import { waitUntilTrue } from "../../core/test/support/until.ts"
import { processOrNone } from "./anvil/processes.ts"
import { SandboxChains, type SandboxOptions } from "./index.ts"

const receiver = Address.make("0x00000000000000000000000000000000000000fd")
const CHAIN = 10

const homes: Array<string> = []
const newHome = (): string => {
  const home = mkdtempSync(join(tmpdir(), "countersign-restart-"))
  homes.push(home)
  return home
}
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true })
})

/** Starts a sandbox on `home`, runs the effect, and stops the sandbox orderly. */
const inSandbox = <A, E>(
  home: string,
  run: (sandbox: SandboxChains["Service"]) => Effect.Effect<A, E>,
  options?: Partial<SandboxOptions>
) =>
  Effect.scoped(SandboxChains.use(run).pipe(Effect.provide(SandboxChains.layer({ home, eager: [CHAIN], ...options }))))

const clientOf = (sandbox: SandboxChains["Service"]) =>
  createPublicClient({ transport: http(sandbox.rpcUrl(CHAIN)), cacheTime: 0 })

const readState = (sandbox: SandboxChains["Service"]) =>
  Effect.promise(async () => {
    const block = await clientOf(sandbox).getBlock()
    const balance = await clientOf(sandbox).getBalance({ address: receiver })
    return {
      number: Number(block.number),
      timestamp: Number(block.timestamp),
      transactions: block.transactions,
      balance
    }
  })

const fundReceiver = (sandbox: SandboxChains["Service"]) =>
  sandbox.fund(CHAIN, receiver, "native", 5n).pipe(Effect.andThen(readState(sandbox)))

const chainFile = (home: string, name: string) => join(home, "chains", `${CHAIN}`, name)

describe("SandboxChains after a restart", () => {
  it.effect("keep their blocks, balances, receipts and clock, and delete them on request", () =>
    Effect.gen(function* () {
      const home = newHome()
      const firstTransfer = yield* inSandbox(home, (sandbox) =>
        sandbox.advanceClock(3_600).pipe(Effect.andThen(fundReceiver(sandbox)))
      )
      assert.strictEqual(firstTransfer.balance, 5n)
      yield* inSandbox(home, (sandbox) =>
        Effect.gen(function* () {
          const restartedState = yield* readState(sandbox)
          assert.deepStrictEqual(restartedState, firstTransfer)
          assert.strictEqual(sandbox.clockOffsetSeconds(), 3_600)
          const hash = firstTransfer.transactions[0]!
          const receipt = yield* Effect.promise(() => clientOf(sandbox).getTransactionReceipt({ hash }))
          assert.strictEqual(receipt.status, "success")
          const nextTransfer = yield* fundReceiver(sandbox)
          assert.isAtLeast(nextTransfer.timestamp, firstTransfer.timestamp)

          yield* sandbox.reset
          const resetState = yield* readState(sandbox)
          assert.deepStrictEqual([resetState.number, resetState.balance, sandbox.clockOffsetSeconds()], [3, 0n, 0])
          yield* fundReceiver(sandbox)
        })
      )
      const freshState = yield* inSandbox(home, readState, { fresh: true })
      assert.deepStrictEqual([freshState.number, freshState.balance], [3, 0n])
    })
  )

  it.effect(
    "deploys a chain again after a kill during its deployment, and loads the earlier state if the last file is truncated",
    () =>
      Effect.gen(function* () {
        const home = newHome()
        yield* inSandbox(home, fundReceiver)
        const mark = readFileSync(chainFile(home, "deployed.json"), "utf8")

        truncateSync(chainFile(home, "state.json"), 1_000)
        // There is no earlier state, so the chain is deployed again.
        assert.strictEqual((yield* inSandbox(home, readState)).balance, 0n)
        yield* inSandbox(home, fundReceiver)
        yield* inSandbox(home, readState)
        truncateSync(chainFile(home, "state.json"), 1_000)
        assert.strictEqual((yield* inSandbox(home, readState)).balance, 5n)

        writeFileSync(chainFile(home, "deployed.json"), mark.replace(/"blockNumber":\d+/u, '"blockNumber":99'))
        assert.strictEqual((yield* inSandbox(home, readState)).balance, 0n)
        yield* inSandbox(home, fundReceiver)
        rmSync(chainFile(home, "deployed.json"))
        const stateAfterRestart = yield* inSandbox(home, readState)
        assert.deepStrictEqual([stateAfterRestart.number, stateAfterRestart.balance], [3, 0n])
      })
  )

  it.effect("takes over from a killed run, with all transactions of its chains", () =>
    Effect.gen(function* () {
      const home = newHome()
      const program = `
        import { Effect } from "effect"
        import { SandboxChains } from "./index.ts"
        const run = SandboxChains.use((s) => s.fund(${CHAIN}, "${receiver}", "native", 7n).pipe(
          Effect.andThen(Effect.sync(() => console.log("given"))), Effect.andThen(Effect.never)))
        Effect.runFork(Effect.scoped(run.pipe(Effect.provide(SandboxChains.layer({ home: ${JSON.stringify(home)}, eager: [${CHAIN}] })))))`
      const orphanPid = yield* Effect.promise(async () => {
        const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
          cwd: import.meta.dirname,
          stdio: ["ignore", "pipe", "inherit"]
        })
        await once(child.stdout, "data")
        const pid = Number(readFileSync(chainFile(home, "anvil.pid"), "utf8"))
        child.kill("SIGKILL")
        await once(child, "exit")
        return pid
      })
      assert.include(processOrNone(orphanPid)?.commandLine, "anvil")
      const state = yield* inSandbox(home, readState)
      assert.strictEqual(state.balance, 7n)
      assert.isUndefined(processOrNone(orphanPid))
    })
  )

  it.effect("starts a chain again if its anvil has died", () =>
    Effect.gen(function* () {
      const home = newHome()
      yield* inSandbox(home, fundReceiver)
      const state = yield* inSandbox(home, (sandbox) =>
        Effect.gen(function* () {
          process.kill(Number(readFileSync(chainFile(home, "anvil.pid"), "utf8")), "SIGKILL")
          yield* Effect.promise(() => waitUntilTrue(() => !sandbox.isRunning(CHAIN)))
          return yield* readState(sandbox)
        })
      )
      assert.strictEqual(state.balance, 5n)
    })
  )

  it.effect("reports the transactions that a killed anvil has lost, and only those", () =>
    Effect.gen(function* () {
      const home = newHome()
      yield* inSandbox(home, fundReceiver)
      const { said: output } = yield* inSandbox(home, (sandbox) =>
        Effect.gen(function* () {
          const stateBefore = yield* readState(sandbox)
          yield* fundReceiver(sandbox)
          const [lostTransaction] = (yield* readState(sandbox)).transactions
          const messages: Array<string> = []
          const write = process.stderr.write
          process.stderr.write = (text) => messages.push(String(text)) > 0
          process.kill(Number(readFileSync(chainFile(home, "anvil.pid"), "utf8")), "SIGKILL")
          yield* Effect.promise(() => waitUntilTrue(() => !sandbox.isRunning(CHAIN)))
          const stateAfter = yield* readState(sandbox)
          process.stderr.write = write
          assert.deepStrictEqual(stateAfter, stateBefore)
          assert.include(messages.join(""), `Chain ${CHAIN} of the sandbox was killed`)
          assert.include(messages.join(""), lostTransaction!)
          return { said: messages.join("") }
        })
      )
      assert.notInclude(output, "2 transactions")
      assert.isFalse(existsSync(chainFile(home, "sent.log")))
    })
  )

  it.effect("does not end another process whose id is in an old file", () =>
    Effect.gen(function* () {
      const home = newHome()
      yield* inSandbox(home, readState)
      // `cat` ends with its input, so that it does not outlive the test.
      const otherProcess = spawn("cat")
      writeFileSync(chainFile(home, "anvil.pid"), `${otherProcess.pid}`)
      yield* inSandbox(home, readState)
      assert.deepStrictEqual([otherProcess.exitCode, otherProcess.signalCode], [null, null])
      otherProcess.kill()
    })
  )

  it.effect("reject a folder that another sandbox uses, and a port that is in use", () =>
    Effect.gen(function* () {
      const home = newHome()
      const error = yield* inSandbox(home, () =>
        Effect.flip(Effect.scoped(Layer.build(SandboxChains.layer({ home, eager: [] }))))
      )
      assert.include(error.message, "Another sandbox")
      const server = createServer().listen(0, "127.0.0.1")
      yield* Effect.promise(() => once(server, "listening"))
      const { port } = server.address() as AddressInfo
      const portError = yield* Effect.flip(inSandbox(home, () => Effect.void, { gatewayPort: port }))
      assert.include(portError.message, `Port ${port} of 127.0.0.1 is in use`)
      server.close()
    })
  )
})
