"""Names of packages that many use, and so the names that others imitate. One name a word; npm and PyPI apart."""

from __future__ import annotations

NPM = frozenset(
    """
    @modelcontextprotocol/server-filesystem @modelcontextprotocol/server-github @modelcontextprotocol/server-memory
    @modelcontextprotocol/server-everything @modelcontextprotocol/server-sequential-thinking
    @modelcontextprotocol/server-postgres @modelcontextprotocol/server-puppeteer @modelcontextprotocol/server-slack
    @modelcontextprotocol/server-brave-search @modelcontextprotocol/server-google-maps @modelcontextprotocol/inspector
    @modelcontextprotocol/server-gitlab @modelcontextprotocol/server-gdrive @modelcontextprotocol/sdk
    @modelcontextprotocol/server-fetch @modelcontextprotocol/server-redis @modelcontextprotocol/server-sqlite
    @playwright/mcp @upstash/context7-mcp @anthropic-ai/claude-code @anthropic-ai/sdk @google/gemini-cli @openai/codex
    @google/genai @sentry/mcp-server @notionhq/notion-mcp-server @supabase/mcp-server-supabase @stripe/mcp @vercel/mcp
    @cloudflare/mcp-server-cloudflare @azure/mcp @figma/mcp figma-developer-mcp chrome-devtools-mcp firecrawl-mcp
    mcp-remote supergateway tavily-mcp exa-mcp-server postmark-mcp mongodb-mcp-server puppeteer-mcp-server
    desktop-commander shadcn task-master-ai repomix mcp-proxy
    express react react-dom lodash axios chalk commander debug typescript webpack prettier eslint jest mocha vitest
    request requests dotenv zod ajv yargs inquirer ora glob rimraf semver uuid nanoid ws undici node-fetch got cheerio
    puppeteer playwright nodemailer mongoose mongodb redis ioredis mysql2 sqlite3 better-sqlite3 electron ethers
    web3 viem discord.js telegraf next nuxt vue svelte angular tailwindcss vite rollup esbuild babel-core ts-node tsx
    nodemon cross-env cross-spawn execa shelljs minimist colors color event-stream moment dayjs date-fns rxjs
    socket.io fastify koa cors body-parser jsonwebtoken bcrypt passport crypto-js bignumber.js openai langchain
    preact telegram enquirer colorette marked handlebars mustache express-session multer winston pino validator joi
    """.split()
)
PYPI = frozenset(
    """
    mcp mcp-server-git mcp-server-fetch mcp-server-time mcp-server-sqlite mcp-server-filesystem fastmcp mcp-proxy
    blender-mcp
    awslabs.core-mcp-server markitdown-mcp browser-use serena
    requests request python numpy pandas scipy matplotlib scikit-learn tensorflow torch torchvision transformers keras
    flask django
    fastapi uvicorn starlette pydantic sqlalchemy boto3 botocore urllib3 certifi idna charset-normalizer cryptography
    pyyaml pillow beautifulsoup4 lxml selenium playwright scrapy aiohttp httpx websockets paramiko pytest
    setuptools wheel virtualenv poetry click typer rich colorama tqdm jinja2 markupsafe werkzeug python-dateutil
    pytz simplejson redis celery pymongo psycopg2 psycopg2-binary mysqlclient openai anthropic langchain litellm
    tiktoken google-generativeai google-genai pyjwt bcrypt web3 solana jupyter notebook ipython openpyxl pypdf
    pypdf2 pdfplumber reportlab python-docx python-pptx opencv-python discord.py python-telegram-bot telethon
    ultralytics huggingface-hub sentence-transformers accelerate diffusers gradio streamlit plotly seaborn dotenv
    python-dotenv jsonschema packaging attrs toml tomli black ruff mypy isort flake8 nltk spacy psutil pyautogui
    """.split()
)
