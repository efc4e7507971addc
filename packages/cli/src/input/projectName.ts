import { ProjectName } from "@countersign/core/tenancy/projects"
import { Argument } from "effect/cli"
import { readAs } from "./readAs.ts"

export const projectNameArgument = (name: string) =>
  Argument.String(name).pipe(Argument.withDescription("Name of the project, which must be unique"), readAs(ProjectName))
