import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { waitUntil } from "../../../core/test/support/until.ts"
import { processByPs, processFromPs, processInProc } from "./processes.ts"

const TICKS_PER_SECOND = 100
const hasBoth = process.platform === "linux" && spawnSync("ps", ["-V"]).status === 0

const awaitExit = (child: ChildProcess) => new Promise((resolve) => child.once("exit", resolve))

describe("processFromPs", () => {
  it("reads the columns as macOS prints them", () => {
    const path = "/Users/ana/Meine Dateien/.countersign/chains/1/state.json"
    const line = `S    Thu Nov  5 09:03:07 2026     /opt/countersign/bin/anvil --host 127.0.0.1 --state ${path} --order fifo\n`
    assert.deepStrictEqual(processFromPs(line), {
      startMark: "Thu Nov  5 09:03:07 2026",
      commandLine: `/opt/countersign/bin/anvil --host 127.0.0.1 --state ${path} --order fifo`
    })
    assert.strictEqual(processFromPs("Ss+  Sun Nov 22 15:20:09 2026     -zsh\n")?.commandLine, "-zsh")
  })

  it("returns no process for an empty line or a zombie", () => {
    assert.isUndefined(processFromPs(""))
    assert.isUndefined(processFromPs("Z    Sun Nov 22 15:20:09 2026     <defunct>\n"))
    assert.isUndefined(processFromPs("Z+   Sun Nov 22 15:20:09 2026     (anvil)\n"))
  })
})

describe.runIf(hasBoth)("/proc and ps", () => {
  it("report the same data about a process", async () => {
    const args = ["-e", "setInterval(() => {}, 1_000)", "x".repeat(400)]
    const child = spawn(process.execPath, args, { stdio: "ignore" })
    const exit = awaitExit(child)
    // The command line is empty until the child has executed its program.
    const inProc = await waitUntil(
      () => processInProc(child.pid!),
      (processInfo) => processInfo?.commandLine === [process.execPath, ...args].join(" ")
    )
    const byPs = processByPs(child.pid!)
    assert.include(byPs?.commandLine, "x".repeat(400))
    const bootSeconds = Number(/^btime (\d+)$/mu.exec(readFileSync("/proc/stat", "utf8"))?.[1])
    const startSeconds = bootSeconds + Number(inProc?.startMark) / TICKS_PER_SECOND
    assert.approximately(Date.parse(`${byPs?.startMark} UTC`) / 1000, startSeconds, 2)
    child.kill("SIGKILL")
    await exit
    assert.deepStrictEqual([processInProc(child.pid!), processByPs(child.pid!)], [undefined, undefined])
  })
})
