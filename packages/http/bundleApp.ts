// Bundles the pages of `app/`. `npm run build` runs it with the module that it replaces, so that what is published has the
// page's texts and needs no bundler.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { build } from "esbuild"
import type { AppFiles } from "./src/server/app/appFiles.ts"

const bundle = async (entry: string) => {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, entry)],
    tsconfig: join(import.meta.dirname, "app/tsconfig.json"),
    outdir: import.meta.dirname,
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: ["chrome120", "firefox120", "safari17"]
  })
  const textOf = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))!.text
  return { script: textOf(".js"), style: textOf(".css") }
}

export const appFiles = async (): Promise<AppFiles> => ({
  app: await bundle("app/main.tsx"),
  admin: await bundle("app/admin/main.tsx")
})

const [replaced] = process.argv.slice(2)
if (import.meta.main && replaced !== undefined)
  writeFileSync(replaced, `export const appFiles = async () => (${JSON.stringify(await appFiles())})\n`)
